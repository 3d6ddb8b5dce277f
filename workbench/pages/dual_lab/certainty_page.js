// After certainty.js, on a served page: a component whose model has the gauge and the table.

export function render({ model, el }) {
  const shown = new Certainty(el);
  const draw = () => shown.draw(model.gauge), write = () => shown.write(model.terms);
  model.on("gauge", draw);
  model.on("terms", write);
  draw();
  write();
}
