// A page that plays runs: sliders choose the run, time goes through its pictures.

const PICTURE_MS = 150;

async function start(text) {
  const { document: drawn, sliders, slots, runs, pool } = await unpacked(text);
  const find = (id) => document.getElementById(id);
  const model = await embed(drawn);
  const boxes = sliders.map(({ name }) => find(`x-${name}`));
  const frame = find("x-frame");
  const present = slots.map(() => -1);
  let timer = null;

  const place = (box) => (box === null ? 0 : box.tagName === "SELECT" ? box.selectedIndex : Number(box.value));
  const run = () => runs[sliders.reduce((at, { count }, k) => at * count + place(boxes[k]), 0)];

  function say_values() {
    for (const box of boxes) {
      if (box?.dataset.said === undefined) continue;
      const said = JSON.parse(box.dataset.said)[place(box)];
      find(`${box.id}-said`).textContent = said;
      box.setAttribute("aria-valuetext", said);
    }
  }

  // Only what differs from the picture before.
  function apply(moment) {
    const changes = new Map();
    slots.forEach(([id, name, column], k) => {
      if (moment.slots[k] === present[k]) return;
      present[k] = moment.slots[k];
      if (!changes.has(id)) changes.set(id, { columns: {}, values: {} });
      const into = changes.get(id);
      if (column === "") into.values[name] = revived(pool[present[k]]);
      else into.columns[column] = pool[present[k]];
    });
    for (const [id, { columns, values }] of changes) {
      if (Object.keys(columns).length) fill(model(id), columns);
      if (Object.keys(values).length) model(id).setv(values);
    }
  }

  function show() {
    const moments = run();
    frame.max = moments.length - 1;
    const moment = moments[Number(frame.value)];
    find("x-at").textContent = moment.at;
    frame.setAttribute("aria-valuetext", moment.at);
    apply(moment);
    for (const [id, place] of Object.entries(moment.texts)) put_html(id, pool[place]);
    say_values();
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    find("x-play").textContent = "Play";
  }

  function go(to) {
    frame.value = to;
    show();
  }

  function step() {
    if (Number(frame.value) < Number(frame.max)) go(Number(frame.value) + 1);
    else pause();
  }

  function play() {
    if (timer !== null) {
      pause();
      return;
    }
    if (frame.value === frame.max) go(0);
    timer = setInterval(step, PICTURE_MS);
    find("x-play").textContent = "Pause";
  }

  function step_once() {
    pause();
    step();
  }

  function reset() {
    pause();
    go(0);
  }

  // The end of a run stays the end of another one that is longer or shorter.
  function choose() {
    const at_end = frame.value === frame.max;
    frame.max = run().length - 1;
    if (at_end && timer === null) frame.value = frame.max;
    show();
  }

  boxes.forEach((box) => box?.addEventListener("input", choose));
  frame.addEventListener("input", () => {
    pause();
    show();
  });
  find("x-play").addEventListener("click", play);
  find("x-step").addEventListener("click", step_once);
  find("x-reset").addEventListener("click", reset);
  keys({ " ": play, ArrowRight: step_once, r: reset });
  frame.max = run().length - 1;
  go(frame.max);
  document.body.dataset.shown = "runs";
}

function revived(value) {
  if (value === null) return NaN;
  if (value.words) return value.of.map((k) => value.words[k]);
  return Array.isArray(value) ? value.map(revived) : value;
}

function fill(source, columns) {
  const data = { ...source.data };
  for (const [name, value] of Object.entries(columns)) {
    // A picture keeps its array, which knows its two sides.
    if (value.image) data[name][0].set(revived(value.image));
    else data[name] = revived(value);
  }
  source.setv({ data });
  source.change.emit();
}
