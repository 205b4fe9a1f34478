// What a page displays of texts from others: a browser obeys some of their characters. A right-to-left override turns the order of
// all that follows it in its block, also of our own words. They are displayed as terminals get them; fields of forms have them
// unchanged, so that nobody sends back something else than was there.
import { options } from 'preact';

/** Control characters but for white space, and what embeds, overrides or isolates a direction. */
const OBEYED = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

export const displayedText = (text: string): string =>
  text.replaceAll(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** From now on, in every view. */
export function displayTexts(): void {
  const before = options.vnode;
  options.vnode = (node) => {
    // A text has no type; Preact's own types leave it out.
    const text = node as { readonly type: unknown; props: unknown };
    if (text.type === null && typeof text.props === 'string') text.props = displayedText(text.props);
    before?.(node);
  };
}
