// A file is shown in another look where its address asks for it: ?theme=dark, ?projector=on. LOOK is how it was written.

const asked_look = new URLSearchParams(location.search);
const is_dark = asked_look.has("theme") ? asked_look.get("theme") === "dark" : LOOK.dark;
const is_large = asked_look.has("projector") ? asked_look.get("projector") === "on" : LOOK.large;

// Styles or JSON with the colours of the look that is asked for.
function restyled(text) {
  return is_dark === LOOK.dark ? text : text.replace(/#[0-9a-f]{6}\b/gi, (colour) => LOOK.colours[colour.toLowerCase()] ?? colour);
}

function restyle_page() {
  const switches = { theme: is_dark ? "Light" : "Dark", projector: is_large ? "Desk" : "Projector" };
  if (is_dark !== LOOK.dark) {
    for (const style of document.querySelectorAll("style")) style.textContent = restyled(style.textContent);
    for (const part of document.querySelectorAll("main, .x-sidebar")) part.innerHTML = restyled(part.innerHTML);
  }
  for (const [key, label] of Object.entries(switches)) document.querySelector(`[data-key=${key}]`).textContent = label;
  // The other pages of the site are shown in the same look.
  for (const link of document.querySelectorAll("header a")) link.search = location.search;
}

restyle_page();
