// The page of short problems. RULES and LESSONS stand above: tolerances, and the problems with their answers.

const KEY = "workbench-practice";
const FUNCTIONS = [
  "exp", "log", "sqrt", "abs", "sign", "max", "min", "sin", "cos", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
];
// Other names of the same functions, as NumPy and books have them.
const ALIASES = {
  ln: "log", arcsinh: "asinh", arsinh: "asinh", arccosh: "acosh", arctanh: "atanh", maximum: "max", minimum: "min",
};
const CONSTANTS = { inf: Infinity, infinity: Infinity, Infinity, oo: Infinity, pi: Math.PI, π: Math.PI, e: Math.E };
const POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const done = kept();

/** What was done before; nothing where the browser keeps nothing for a file. */
function kept() {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; }
}

function keep() {
  try { localStorage.setItem(KEY, JSON.stringify(done)); } catch { /* It is then forgotten with the page. */ }
}

function state(name) {
  return (done[name] ??= { wrong: 0, hints: 0, right: false });
}

/** The value of a calculation; an error says what cannot be read. */
function evaluate(text, names = {}) {
  const tokens = text.replace(/\b(?:np|math)\./g, "").replaceAll("−", "-").replaceAll("∞", "inf")
    .replace(/[·×]/g, "*").replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (power) => `^${[...power].map((digit) => POWERS.indexOf(digit)).join("")}`)
    .trim().match(/\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|[A-Za-z]\w*|\*\*|\S/gi) ?? [];
  let place = 0;
  const next = (...wanted) => (wanted.includes(tokens[place]) ? tokens[place++] : undefined);
  const fail = () => {
    throw Error(place < tokens.length ? `“${tokens[place]}” cannot be read there` : "something is missing at its end");
  };
  const need = (token) => next(token) ?? fail();
  function sum() {
    let value = product();
    for (let sign; (sign = next("+", "-")); ) value += sign === "+" ? product() : -product();
    return value;
  }
  function product() {
    let value = signed(), divided = false;
    for (;;) {
      const sign = next("*", "/");
      if (sign) {
        divided = sign === "/";
        value = divided ? value / signed() : value * signed();
      } else if (/^[(√π]|^[A-Za-z]/.test(tokens[place] ?? "")) {
        // A product without a sign, as 2(3) or 0.25v^2; 1/2v could be (1/2)v or 1/(2v).
        if (divided) throw Error("a product after “/” needs brackets or *");
        value *= signed();
      } else return value;
    }
  }
  function signed() {
    if (next("-")) return -signed();
    if (next("+")) return signed();
    const base = atom();
    return next("**", "^") ? base ** signed() : base;
  }
  function atom() {
    const token = tokens[place];
    if (next("(")) {
      const value = sum();
      need(")");
      return value;
    }
    if (/^[\d.]/.test(token) && token !== ".") return Number(tokens[place++]);
    if (Object.hasOwn(names, token)) return names[tokens[place++]];
    if (Object.hasOwn(CONSTANTS, token)) return CONSTANTS[tokens[place++]];
    if (next("√")) return Math.sqrt(atom());
    const called = Object.hasOwn(ALIASES, token) ? ALIASES[token] : token;
    if (!FUNCTIONS.includes(called)) fail();
    place++;
    need("(");
    const given = [sum()];
    while (next(",")) given.push(sum());
    need(")");
    return Math[called](...given);
  }
  const value = sum();
  if (place < tokens.length) fail();
  return value;
}

/** Check if a typed number has three digits of the right one; a whole number has all of them. */
function rounded(found, right) {
  const unit = 10 ** Math.floor(Math.log10(Math.abs(right)));
  return !Number.isInteger(right) && Math.abs(found - right) <= RULES.half * unit;
}

/** Whether a value is right but for rounding, as `check` decides it. */
function same(found, right) {
  const near = RULES.absolute + RULES.relative * Math.abs(right);
  return found === right || (Number.isFinite(right) && Math.abs(found - right) <= near);
}

/** What is wrong with an answer; "" where it is right. */
function judge(problem, answer) {
  if (!answer.trim()) return { empty: "There is no answer yet." };
  if (problem.choices.length) {
    return { said: answer === problem.right ? "" : problem.wrong.find(([other]) => other === answer)[1] };
  }
  const places = problem.places ?? [null], list = (values) => (problem.places ? values : [values]);
  let found;
  try {
    found = places.map((place) => evaluate(answer, problem.places ? { [problem.variable]: place } : {}));
  } catch (error) {
    const comma = /\d,\d/.test(answer) ? " Write decimals with a point." : "";
    return { empty: `The answer cannot be read: ${error.message}.${comma}` };
  }
  if (found.some(Number.isNaN)) return { said: "Its value is no number: 0/0, or a root or a logarithm below 0." };
  const right = list(problem.right), agrees = (values) => found.every((value, k) => same(value, values[k]));
  if (agrees(right)) return { said: "" };
  const known = problem.wrong.find(([values]) => agrees(list(values)));
  if (known) return { said: known[1] };
  if (!problem.places && rounded(found[0], problem.right)) return { said: "" };
  const k = found.findIndex((value, each) => !same(value, right[each]));
  if (problem.places) {
    return { said: `At ${problem.variable} = ${places[k]} your formula is ${short(found[k])}; ${short(right[k])} is due.` };
  }
  if (same(-found[k], right[k])) return { said: "The sign is wrong." };
  return { said: `${short(found[k])} is too ${found[k] < right[k] ? "small" : "large"}.` };
}

function short(value) {
  return String(Number.isFinite(value) ? Number(value.toPrecision(6)) : value);
}

function made(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** One problem with its field, buttons and what was said. */
function shown(problem) {
  const now = state(problem.name), said = made("p", { className: "said" }), hints = made("ol");
  said.setAttribute("role", "status");
  const solution = () => `The solution: ${problem.solution}`;
  const field = problem.choices.length
    ? made("div", {}, ...problem.choices.map((each) => made("label", {},
        made("input", { type: "radio", name: problem.name, value: each }), ` ${each}`)))
    : made("label", {}, problem.variable ? `Your formula in ${problem.variable}: ` : "Your answer: ",
        made("input", { type: "text", name: problem.name, autocomplete: "off" }));
  const more = made("button", { type: "button", onclick: () => { now.hints++; keep(); hint(); } });
  const form = made("form", {}, field, made("p", {}, made("button", {}, "Check"), " ", problem.hints.length ? more : ""));
  const section = made("section", { id: problem.name },
    made("h2", {}, `${problem.name}  ${problem.title}`),
    problem.example ? made("p", { className: "example" }, `Example: ${problem.example}`) : "",
    made("p", {}, problem.ask), made("figure", { innerHTML: problem.graph }), form, hints, said);
  for (const part of section.querySelectorAll("[data-pick]")) {
    part.onclick = () => { form.querySelector(`[value="${part.dataset.pick}"]`).checked = true; };
  }
  form.onsubmit = (event) => {
    event.preventDefault();
    const found = judge(problem, new FormData(form).get(problem.name) ?? "");
    if (found.empty) {
      said.textContent = found.empty;
      return;
    }
    if (found.said) now.wrong++;
    now.right ||= !found.said;
    keep();
    draw();
    const last = now.wrong >= RULES.attempts ? solution() : problem.hints.length ? "A hint may help." : "";
    if (found.said) said.textContent = `${found.said} ${last}`;
    section.classList.toggle("right", !found.said);
  };
  function hint() {
    hints.replaceChildren(...problem.hints.slice(0, now.hints).map((hint) => made("li", {}, hint)));
    more.textContent = `Hint ${Math.min(now.hints + 1, problem.hints.length)} of ${problem.hints.length}`;
    more.disabled = now.hints >= problem.hints.length;
  }
  function draw() {
    hint();
    section.classList.toggle("right", now.right);
    said.textContent = now.right ? `Right. ${problem.solution}` : now.wrong < RULES.attempts ? "" : solution();
    count();
  }
  section.draw = draw;
  return section;
}

const chosen = document.getElementById("lesson"), kinds = document.getElementById("kind");
const another = document.getElementById("another");
// The problem on the page, and the others of its kind, which "another like it" shows in turn.
let current;

/** The kind of a problem: its name without the last letter. */
function kindOf(problem) {
  return problem.name.slice(0, -1);
}

function siblings() {
  return lesson().problems.filter((problem) => kindOf(problem) === kinds.value);
}

function lesson() {
  return LESSONS.find((each) => each.name === chosen.value);
}

function count() {
  const all = lesson().problems, right = all.filter((each) => done[each.name]?.right).length;
  document.getElementById("count").textContent = `${right} of ${all.length} right.`;
}

function open(problem) {
  current = problem;
  kinds.value = kindOf(problem);
  const section = shown(problem);
  document.getElementById("problems").replaceChildren(section);
  another.disabled = siblings().length < 2;
  section.draw();
}

/** The first problem of a kind that is not right yet, or its first. */
function openKind() {
  open(siblings().find((problem) => !done[problem.name]?.right) ?? siblings()[0]);
}

function move(by) {
  kinds.selectedIndex = (kinds.selectedIndex + by + kinds.length) % kinds.length;
  openKind();
}

/** The address names a lesson, or a lesson and a problem: #01_conjugates/1.p7a. */
function follow() {
  const [name, problem] = decodeURIComponent(location.hash.slice(1)).split("/");
  chosen.value = LESSONS.some((each) => each.name === name) ? name : LESSONS[0].name;
  const titles = new Map(lesson().problems.map((each) => [kindOf(each), each.title]));
  kinds.replaceChildren(...[...titles].map(([kind, title]) => made("option", { value: kind }, `${kind} ${title}`)));
  const named = lesson().problems.find((each) => each.name === problem);
  if (named) open(named);
  else openKind();
}

chosen.append(...LESSONS.map((each) => made("option", { value: each.name }, each.title)));
chosen.onchange = () => { location.hash = chosen.value; };
document.getElementById("again").onclick = () => {
  for (const each of lesson().problems) delete done[each.name];
  keep();
  openKind();
};
kinds.onchange = openKind;
another.onclick = () => { const all = siblings(); open(all[(all.indexOf(current) + 1) % all.length]); };
document.getElementById("back").onclick = () => move(-1);
document.getElementById("next").onclick = () => move(1);
addEventListener("hashchange", follow);
follow();
