// A note that a person leaves on a process for whoever looks at it next. It changes nothing.
import type { Attribution } from './attribution.ts';
import type { Instant } from './flow-input.ts';

/** It is told in one line of a list and of a timeline: who has more to say has another place for it. */
export const LONGEST_NOTE = 500;

/** Update `note` of every process. Temporal keeps each in the history, with `why`. */
export type AddNote = Attribution & {
  /** 1 to 500 characters, blanks around it left out. */
  readonly text: string;
};

/** The newest, as the process says it in `progress`. */
export interface Note {
  readonly text: string;
  readonly by: string;
  /** The person for whom a program said that it acted. */
  readonly onBehalfOf?: string;
  readonly at: Instant;
}
