// Styles and documents in the colours of another look.

/**
 * Return the text with other colours, whose opacity stays.
 * @param {string} text
 * @param {Record<string, string>} colours the others by those in the text, six digits each
 */
export function recoloured(text, colours) {
  return text.replace(/#[0-9a-f]{6}(?=(?:[0-9a-f]{2})?\b)/gi, (colour) => colours[colour.toLowerCase()] ?? colour);
}
