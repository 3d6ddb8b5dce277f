// The gauge, two tracks with the interval that holds the optimum, and the fold that tells why it does.

const MARKUP = `
<div class="box">
  <p data-text="sentence"></p>
  <div class="ends"><span data-text="low"></span><span data-text="axis_label"></span><span data-text="high"></span></div>
  <div class="track" data-track="axis"><i class="fog"></i><i class="end dual"></i><i class="end primal"></i></div>
  <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><polygon></polygon></svg>
  <div class="track" data-track="lens"><i class="fog"></i><i class="end dual"></i><i class="end primal"></i></div>
  <div class="ends"><b data-text="dual"></b><span data-text="lens_label"></span><b data-text="primal"></b></div>
  <details><summary>Why is this certain?</summary><div data-html="terms"></div></details>
</div>`;

// Straight into the elements, so that they glide and the fold stays as it was.
function draw(root, gauge) {
  for (const element of root.querySelectorAll("[data-text]")) {
    const text = gauge[element.dataset.text] ?? "…";
    if (element.textContent !== text) element.textContent = text;
  }
  if (!gauge.axis) return;
  for (const track of root.querySelectorAll("[data-track]")) {
    const [dual, primal] = gauge[track.dataset.track], [fog, below, above] = track.children;
    Object.assign(fog.style, { left: `${dual}%`, width: `${primal - dual}%` });
    below.style.left = `${dual}%`;
    above.style.left = `${primal}%`;
    // Beyond the axis there is no end to be drawn.
    [below.hidden, above.hidden] = gauge.open;
  }
  const [start, end] = gauge.window;
  root.querySelector("polygon").setAttribute("points", `${start},0 ${end},0 100,10 0,10`);
}

function named(name) {
  return Bokeh.documents.map((document) => document.get_model_by_name(name)).find((model) => model);
}

function mark(root, sample) {
  for (const row of root.querySelectorAll("[data-sample]")) row.classList.toggle("lit", row.dataset.sample === String(sample));
}

export function render({ model, el }) {
  const root = document.createElement("div");
  root.innerHTML = MARKUP;
  el.append(root);
  const terms = root.querySelector("[data-html]");
  const write = () => { terms.innerHTML = model.terms; };
  const light = (sample) => { named("light")?.execute(null, { sample }); };
  terms.addEventListener("mouseover", ({ target }) => {
    const sample = target.closest("[data-sample]")?.dataset.sample;
    light(sample === undefined ? null : Number(sample));
  });
  terms.addEventListener("mouseleave", () => light(null));
  model.on("gauge", () => draw(root, model.gauge));
  model.on("terms", write);
  draw(root, model.gauge);
  write();
  const marked = () => mark(root, named("lit")?.data.sample[0]);
  model.on("terms", marked);
  const follow = () => named("lit")?.change.connect(marked);
  // The figures' models have come once the document stands; a signal takes the same slot once.
  if (named("lit")) follow();
  else for (const each of Bokeh.documents) each.idle.connect(follow);
}
