// How far a command for many processes has come, in words.

import { t } from '../../../shared/texts/text.ts';
import type { BulkOutcome } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';
import { isBad } from './bulk-outcomes.tsx';
import { type Verb, verbs } from './bulk-verbs.ts';

export type Step = 'asking' | 'previewing' | 'previewed' | 'acting' | 'done' | 'undoing' | 'undone';

interface BulkProgress {
  readonly step: Step;
  readonly verb: Verb;
  readonly outcomes: readonly BulkOutcome[];
  /** All that were chosen. */
  readonly all: number;
  /** Those of them with which it goes on. */
  readonly begun: number;
}

export function formatStep({ step, verb, outcomes, all, begun }: BulkProgress): string {
  const bad = outcomes.filter(isBad).length;
  const left = begun - outcomes.length;
  const refused = bad > 0 ? [t`${inFigures(bad)} refused`] : [];
  switch (step) {
    case 'asking':
    case 'undoing':
      return '';
    case 'previewing':
      return t`Looked at ${inFigures(outcomes.length)} of ${inFigures(all)}…`;
    case 'previewed':
      return bad > 0
        ? t`Nothing is changed yet. As things stand, ${inFigures(begun)} can ${verbs[verb].can}, and ${inFigures(bad)} cannot: those are left as they are.`
        : t`Nothing is changed yet.`;
    case 'acting':
      return t`${inFigures(outcomes.length)} of ${inFigures(begun)} done…`;
    case 'undone':
      return [
        t`${inFigures(outcomes.length - bad)} of ${inFigures(outcomes.length)} taken back`,
        ...refused,
      ].join(', ');
    case 'done':
      return [
        t`${inFigures(outcomes.length - bad)} of ${inFigures(begun)} done`,
        ...refused,
        ...(left > 0 ? [t`${inFigures(left)} not begun`] : []),
        ...(all > begun ? [t`${inFigures(all - begun)} left as they are`] : []),
      ].join(', ');
  }
}
