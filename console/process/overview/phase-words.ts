// The words of a phase and of a waiting question, for the overview of a process and for the lists of the page. Data alone, for the page imports it too.
import type { Phase } from '../../../contract/flows/flow-answers.ts';
import { t } from '../../../shared/texts/text.ts';
import type { Tone } from './overview-view.ts';

interface PhaseWords {
  readonly words: string;
  readonly tone: Tone;
}

export const phaseWords = (): Readonly<Record<Phase, PhaseWords>> => ({
  Open: { words: t`In progress`, tone: 'plain' },
  Overdue: { words: t`Overdue`, tone: 'late' },
  NeedsPerson: { words: t`Needs a person`, tone: 'fault' },
});

export const questionWords = (): PhaseWords => ({ words: t`Waits for an answer`, tone: 'plain' });
