// @ts-check
// Opens a page in a host: one with runs where its module names them.

import { bokehOf } from "./bokeh.js";
import { OpenPage } from "./open_page.js";
import { RunPage } from "./run_page.js";

/**
 * Opens a page in a host.
 * @param {import("./host.js").Host} host
 * @param {import("./open_page.js").PageModule} module
 */
export async function open(host, module) {
  const facts = await host.ask({ type: "page" });
  const Bokeh = await bokehOf(host, facts.bokeh);
  const Kind = module.runs ? RunPage : OpenPage;
  const page = new Kind(host, module, facts, Bokeh);
  await page.begin();
  return page;
}
