// A server that ended took its sessions with it; the address has the state, so the page begins anew.

// A server that ended took its sessions with it; the address has the state, so the page begins anew.
const ASK_MS = 1000;
const STAGGER_MS = 1500;

function sayLost() {
  const note = document.createElement("div");
  note.className = "wb-lost";
  note.setAttribute("role", "alert");
  note.textContent = "The server does not answer. This page will reconnect by itself and keep its state.";
  document.body.append(note);
}

async function answers() {
  try {
    // A file, since to ask for the page would begin a session.
    return (await fetch("static/js/bokeh.min.js", { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

export async function comeBack() {
  if (document.querySelector(".wb-lost")) return;
  sayLost();
  // A class does not come back all at once.
  const wait = ASK_MS + STAGGER_MS * Math.random();
  while (!(await answers()))
    await new Promise((done) => {
      setTimeout(done, wait);
    });
  location.reload();
}
