// What the page says, and how it writes numbers.
import { words } from '../../locales/en.ts';

export const currentMessages = () => words;

/** Those of several rooms. */
export const common = () => words.common;

/** A label within a sentence. */
export const midSentence = (label: string): string => label.slice(0, 1).toLowerCase() + label.slice(1);

/** Like 2,999. */
export const inFigures = (count: number): string => count.toLocaleString('en');
