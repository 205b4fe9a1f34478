// What a process waits for, as data with its words. Here the words of a decision and the form of a minute; the other words:
// machine/progress.ts, workflows/shipments/view.ts.
import type { DecisionReason, WaitingFor } from '../../contract/flows/flow-answers.ts';
import type { Instant } from '../../contract/flows/flow-input.ts';

export const waitingFor = (given: Pick<WaitingFor, 'kind' | 'words'> & Partial<WaitingFor>): WaitingFor => ({
  who: null,
  since: null,
  until: null,
  ...given,
});

interface WaitingForDecision {
  readonly reason: DecisionReason;
  /** Part of a sentence; codes are in backticks. */
  readonly why: string;
  /** The command that decides, and its action if there is only one. */
  readonly by: string;
  readonly since?: Instant | null;
  readonly shipmentUid?: string;
}

export const waitingForDecision = ({ why, by, ...given }: WaitingForDecision): WaitingFor =>
  waitingFor({
    kind: 'decision',
    who: 'operator',
    ...given,
    why: why.replaceAll('`', ''),
    words: `a person: ${why} (${by})`,
  });

/** Formats an instant for people, to the minute. */
export function minute(instant: number | string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
