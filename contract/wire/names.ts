// The names of people and programs, as logs, histories and pages keep them: whoever reads one must see it.

/** What nobody sees; a filler of Hangul and the blank of Braille are letter and sign to Unicode. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const SEEN = /[\p{L}\p{N}\p{M}\p{P}\p{S}]/u;

/** Whether nothing of it is unseen but blanks, and something is seen. */
export const isVisible = (text: string): boolean => nameIn(text) !== undefined && text.search(UNSEEN) < 0;

/** One line of the text, with one blank where there are several and without what nobody sees; undefined if nothing is left. */
export function nameIn(text: string): string | undefined {
  const name = text.toWellFormed().replaceAll(/\s+/gu, ' ').replaceAll(UNSEEN, '').trim();
  return SEEN.test(name) ? name : undefined;
}
