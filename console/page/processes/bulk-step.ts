// How far a command for many processes has come, in words.

import { t } from '../../../shared/texts/text.ts';
import type { BatchView, BulkOutcome } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';
import { countNotDone } from './batch-progress.tsx';
import { isBad } from './bulk-outcomes.tsx';
import { type Verb, verbs } from './bulk-verbs.ts';
import { countShort } from './count-short.ts';

export type Step = 'asking' | 'previewing' | 'previewed' | 'acting' | 'done' | 'undoing' | 'undone';

interface BulkProgress {
  readonly step: Step;
  readonly verb: Verb;
  /** Of the dry run. */
  readonly outcomes: readonly BulkOutcome[];
  /** The one that runs, or has ended. */
  readonly batch: BatchView | undefined;
  /** All that were chosen. */
  readonly all: number;
  /** Those of them with which it goes on. */
  readonly begun: number;
}

export function formatStep({ step, verb, outcomes, batch, all, begun }: BulkProgress): string {
  const bad = outcomes.filter(isBad).length;
  const { done = 0, refused = 0, unknown = 0, total } = batch?.status ?? {};
  const left = begun - done - refused - unknown;
  const notDone = countNotDone({ refused, unknown });
  switch (step) {
    case 'asking':
    case 'undoing':
      return '';
    case 'previewing':
      return t`Looked at ${inFigures(outcomes.length)} of ${inFigures(all)}…`;
    case 'previewed':
      return bad > 0
        ? t`Nothing is changed yet. As things stand, ${inFigures(begun)} can ${verbs[verb].can}, and ${inFigures(bad)} cannot.`
        : t`Nothing is changed yet.`;
    case 'acting':
      return `${t`${inFigures(0)} of ${inFigures(begun)} done`}…`;
    case 'undone':
      return [t`${inFigures(done)} of ${inFigures(total ?? 0)} taken back`, ...notDone].join(', ');
    case 'done':
      return [
        t`${inFigures(done)} of ${inFigures(begun)} done`,
        ...notDone,
        ...countShort(outcomes, done + refused + unknown),
        ...(left > 0 ? [t`${inFigures(left)} not begun`] : []),
        ...(all > begun ? [t`${inFigures(all - begun)} left as they are`] : []),
      ].join(', ');
  }
}
