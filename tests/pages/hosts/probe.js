// A page that does nothing but show what its host gives; `probes` are those that are open.
var workbenchPage = {
  page: {
    open(host) {
      const { el, model } = host;
      const output = document.createElement("output");
      const probe = { host, changes: 0, isDark: null, isWaiting: false, refusals: [], isOpen: true };
      const show = () => {
        output.textContent = JSON.stringify(model.get("settings"));
      };
      el.append(output);
      model.on("change:settings", () => {
        probe.changes += 1;
        show();
      });
      host.onTheme((isDark) => {
        probe.isDark = isDark;
      });
      host.onWaiting((isWaiting) => {
        probe.isWaiting = isWaiting;
      });
      host.onRefusal((text) => probe.refusals.push(text));
      host.onRemove(() => {
        probe.isOpen = false;
      });
      probe.change = (changes) => {
        model.set("settings", { ...model.get("settings"), ...changes });
        const seen = model.get("settings");
        model.save_changes();
        return seen;
      };
      probe.works = () =>
        new Promise((resolve) => {
          const text = "onmessage = ({ data }) => postMessage(data + 1)";
          const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
          const worker = new Worker(address);
          worker.onmessage = ({ data }) => {
            worker.terminate();
            resolve(data);
          };
          worker.postMessage(1);
        });
      probe.bokeh = (version) => workbenchRuntime.bokehOf(host, version);
      show();
      globalThis.probes = [...(globalThis.probes ?? []), probe];
    },
  },
};
