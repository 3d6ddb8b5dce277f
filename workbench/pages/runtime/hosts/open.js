// @ts-check
// Opens a page in a host: one with runs where its module names them.

import { bokehOf, tune } from "./bokeh.js";
import { DrawnPage } from "./drawn_page.js";
import { RunPage } from "./run_page.js";

/**
 * Opens a page in a host.
 * @param {import("./host.js").Host} host
 * @param {import("./open_page.js").PageModule} module
 */
export async function open(host, module) {
  const facts = await host.ask({ type: "page" });
  const Bokeh = await bokehOf(host, facts.bokeh);
  if (host.ownsAddress) tune(Bokeh);
  const Own = module.runs ? RunPage : DrawnPage;
  const Kind = module.extend?.(Own) ?? Own;
  const page = new Kind(host, module, facts, Bokeh);
  await page.begin();
  return page;
}
