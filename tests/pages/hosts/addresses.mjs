// Reads queries by the reader of addresses: takes {rows, names, usual, queries}, prints a list of outcomes.

import { readFileSync } from "node:fs";

const settings = await import(process.argv[2]);
const { addressOf, hiddenParts, LOOKS, settingsOf } = settings;
const { rows, names, usual, queries } = JSON.parse(readFileSync(0, "utf-8"));
const looks = LOOKS.map(({ name }) => name);
const outcomes = queries.map((query) => {
  const { settings: entries, refusals } = settingsOf(query, [...LOOKS, ...rows]);
  const { hidden, refusals: unknown } = hiddenParts(entries.hide ?? "", names);
  if (entries.hide !== undefined) entries.hide = hidden.join(",");
  const again = settingsOf(addressOf(entries, usual), [...LOOKS, ...rows]).settings;
  const part = (isLook) => Object.entries(entries).filter(([name]) => looks.includes(name) === isLook);
  return {
    settings: Object.fromEntries(part(false)),
    switches: Object.fromEntries(part(true)),
    refusals: [...refusals, ...unknown],
    isSameAgain: Object.entries(entries).every(([name, value]) => (again[name] ?? usual[name]) === value),
  };
});
process.stdout.write(JSON.stringify(outcomes));
