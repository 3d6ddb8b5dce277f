// @ts-check
// A picture made of parts, each of which fills some sources, ranges and sentences.

/** @typedef {{ sources: Record<string, any>, ranges: any[], sentences: Record<string, string> }} Part */

/**
 * Returns the parts as one; of sources and sentences of one name the last part's count.
 * @param {Part[]} parts
 */
export function joined(parts) {
  return {
    sources: Object.assign({}, ...parts.map(({ sources }) => sources)),
    ranges: parts.flatMap(({ ranges }) => ranges),
    sentences: Object.assign({}, ...parts.map(({ sentences }) => sentences)),
  };
}
