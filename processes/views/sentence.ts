// A sentence of the timeline: what it says, whether that is bad, and what it says of who and why.
import { t } from '../../shared/texts/text.ts';
import { formatFailure, type Names, sentence } from './readable.ts';
import type { FailureData } from './timeline-data.ts';

export interface Sentence {
  /** Null: only developers need to know. */
  readonly words: string | null;
  readonly isBad?: true;
  /** Whether the words say who did it, and why. */
  readonly saysWho?: boolean;
  readonly saysWhy?: boolean;
}

export const NOTHING: Sentence = { words: null };

export const said = (words: string): Sentence => ({ words: sentence(words) });
export const bad = (words: string): Sentence => ({ words: sentence(words), isBad: true });

/** Of a failure, as a part of a sentence. */
export const formatReason = ({ code, message, ...refused }: FailureData, names: Names): string =>
  formatFailure({ message: message ?? code ?? t`no reason given`, ...refused }, names);
