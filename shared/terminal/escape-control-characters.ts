// What a terminal gets of texts from others: it obeys some characters, turns the order of the line at others, and shows nothing
// of the rest. All that is written to one goes through here.

/** Control and format characters, and the separators of lines and paragraphs. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const OBEYED_IN_LINE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** In one line. */
export const escapeControlCharacters = (text: string): string => text.replaceAll(OBEYED, escaped);

/** With its line feeds. JSON stays the same JSON. */
export const escapeControlCharactersOfLines = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(OBEYED_IN_LINE, escaped);

/** As JSON does, each half of a surrogate pair by itself. */
const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
