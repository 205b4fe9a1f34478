// What people are expected to do at lockers, as Home counts it and the list is narrowed by it.
import { t } from '../../../shared/texts/text.ts';
import type { ExpectedSteps } from '../../processes/processes-view.ts';

type Step = ExpectedSteps['steps'][number]['step'];

export const stepWords: Readonly<Record<Step, string>> = {
  bringBack: t`to bring back`,
  putIn: t`to put in`,
  deskPutsIn: t`for the desk to put in`,
  nameReceiver: t`without a receiver yet`,
  deskTakesOut: t`for the desk to take out`,
  pickUp: t`to collect`,
};
