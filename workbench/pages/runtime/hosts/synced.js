// @ts-check
// A page's settings as a model; where Python has them too, changes go to it one after another, in order.

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {import("./host.js").Model & { take: (settings: Settings) => void }} SettingsModel
 */

/**
 * Returns a model around settings.
 * @param {Settings} settings
 * @param {(changes: Settings) => void} [send] - told what was changed, once it is saved
 * @returns {SettingsModel}
 */
export function settingsModel(settings, send = () => {}) {
  let saved = settings;
  let present = settings;
  /** @type {((...values: any[]) => void)[]} */
  const listeners = [];
  const tell = () => {
    saved = present;
    for (const then of listeners) then();
  };
  return {
    get: () => present,
    set(_name, value) {
      present = value;
    },
    on(_event, then) {
      listeners.push(then);
    },
    save_changes() {
      const changes = changed(saved, present);
      tell();
      send(changes);
    },
    take(values) {
      present = { ...present, ...changed(present, values) };
      if (present !== saved) tell();
    },
  };
}

/**
 * Returns a model whose changes Python is sent in order, and which has Python's settings once none is under way.
 *
 * Python says by events what it has changed, each before its answer to what made it do so.
 * @param {Settings} settings
 * @param {import("./channel.js").Channel} channel
 */
export function syncedModel(settings, channel) {
  let theirs = settings;
  let underWay = 0;
  const model = settingsModel(settings, (changes) => {
    if (!Object.keys(changes).length) return;
    underWay += 1;
    channel.ask({ type: "change", settings: changes }, { isQuiet: true }).then(
      ({ refusal }) => {
        underWay -= 1;
        settle();
        if (refusal) channel.onRefusal(refusal);
      },
      () => {
        // Nobody answers; what was chosen stays.
        underWay -= 1;
      },
    );
  });
  const settle = () => {
    if (underWay === 0) model.take(theirs);
  };
  channel.onSettings = (changes) => {
    theirs = { ...theirs, ...changes };
    settle();
  };
  // Python may have changed some while the view was being made.
  channel.ask({ type: "settings" }, { isQuiet: true }).then(channel.onSettings, () => {});
  return model;
}

/**
 * Returns the values that differ.
 * @param {Settings} before
 * @param {Settings} after
 */
function changed(before, after) {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));
}
