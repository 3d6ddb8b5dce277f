// @ts-check
// The Python that gives the same run in a notebook.

import { pythonNumber, pythonText } from "../runtime/hosts/python.js";
import { termTexts } from "../runtime/hosts/terms.js";
import { written } from "../runtime/wording.js";
import { isPlane, isTyped, SOLVER } from "./runs.js";

/**
 * Returns the Python that gives the same run in a notebook.
 * @param {import("./runs.js").Settings} settings
 * @param {import("./runs.js").Facts} facts
 */
export function code(settings, facts) {
  const { source, cloud, points, file = 0 } = settings;
  const inPlane = isPlane(settings, facts);
  const own = facts.files?.[file];
  const value = (/** @type {any} */ one) => (typeof one === "string" ? pythonText(one) : pythonNumber(one));
  const listed = (/** @type {any[][]} */ entries) => entries.map(([name, one]) => `,\n  ${name}=${one}`).join("");
  const { data, load, bias } = own ? { data: own.name, load: {}, bias: "constant" } : facts.sources[source];
  const { loss: named, regularizer } = termTexts(settings, facts);
  const loss = isTyped(settings, facts)
    ? `wb.losses.custom(\n    ${pythonText(settings.typed)}, kind=${pythonText(settings.typed_kind)})`
    : pythonText(named);
  const signed = facts.terms.regularizer[settings.regularizer].is_signed;
  const options = [["bias", bias], ...(signed ? [["embed", "balanced"]] : [])].filter(([, one]) => one);
  const changed = SOLVER.filter((name) => settings[name] !== facts.solver[name]);
  const examples = "wb.data.examples.";
  const plane = points ? `${examples}read_points(\n  '${points}')` : `${examples}plane(\n  '${cloud}')`;
  const loads = Object.entries(load).map(([name, one]) => [name, value(one)]);
  const loading = inPlane
    ? `X, y = ${plane}`
    : `d = wb.data.load(${pythonText(data)}${listed(loads)}${listed(own?.options ?? [])})`;
  const test = own || inPlane ? "" : ",\n  test=(d.X_test, d.y_test)";
  return (
    `import workbench as wb\n\n${loading}\np = wb.Problem(\n  ${inPlane ? "X, y" : "d.X, d.y"},\n  loss=${loss},` +
    `\n  regularizer=${pythonText(regularizer)},\n  lam=${pythonNumber(settings.lam)}` +
    `${listed(options.map(([name, one]) => [name, value(one)]))})\n` +
    `gs = wb.solvers.GaussSeidel(${changed.map((name) => `\n  ${name}=${value(settings[name])}`).join(",")})\n` +
    `s = wb.solve(\n  p, gs, tol=${written(settings.tolerance, "g")},\n  seed=${settings.seed}${test})\n` +
    "print(s.primal, s.dual, s.gap)"
  );
}
