// What the page shows of one process.
import { z } from 'zod';
import type { Actions } from '../../contract/flows/actions.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { answerRefusal } from '../../processes/action-forms/for-person.ts';
import { actionForm } from '../../processes/action-forms/question-forms.ts';
import { shownProcess } from '../../processes/views/shown-process.ts';
import { caseParts, child, locker, overview, progressBar } from './overview/overview-view.ts';

export type { CaseHistory } from '../../processes/views/case-history.ts';
export type { HappenedRow } from '../../processes/views/happened.ts';
export type { ShownProcess } from '../../processes/views/shown-process.ts';
export type { DoorHistory } from './door-history.ts';

/** Where it stands on its chart. */
const position = {
  chartMissing: z
    .string()
    .nullable()
    .meta({ description: 'Why its chart is not known, in words for people; null: it is' }),
  active: z.array(z.string()).readonly().meta({ description: 'The states in which it is, by their paths' }),
  timers: z
    .array(
      z.object({ state: z.string(), event: z.string(), after: z.string(), until: z.string() }).readonly(),
    )
    .readonly(),
  clockAheadMs: z
    .number()
    .meta({ description: 'How far its clock is ahead of the real time, where it has one of its own' }),
};
export type ChartPosition = Readonly<z.infer<z.ZodObject<typeof position>>>;

export const processDetails = z
  .looseObject({
    ...shownProcess.shape,
    ...position,
    asOf: z.string().nullable().meta({
      description: 'It does not answer now: what it says of itself is as it was then. Null: it is as of now',
    }),
    actionForms: z.array(actionForm).meta({
      description: 'Also those of the flows that it has started, for who may act on these (`of`)',
    }),
    refusals: z
      .array(answerRefusal)
      .meta({ description: 'Of its questions, those that the reader may not answer, and why' }),
    overview,
    progressBar: progressBar.readonly(),
    lockers: z.array(locker).meta({ description: 'Also those of the flows that it has started' }),
    isMovable: z.boolean().meta({
      description: 'Whether it can have another locker: what was put in, or taken out, cannot be moved',
    }),
    hasDoorFault: z
      .boolean()
      .meta({ description: 'The door of one of its lockers stayed shut, or its wall is offline' }),
    doorFault: z.object({ pupUid: z.string(), lockerName: z.string().nullable() }).nullable().meta({
      description: 'Where a mechanic would be sent to; no locker: to the whole wall, which is offline',
    }),
    parts: caseParts,
    children: z.array(child).meta({ description: 'The flows that it has started, those that run first' }),
    cost: z.object({ events: z.int(), bytes: z.int() }),
    temporalUi: z.string().meta({ description: 'Its history in Temporal’s Web UI' }),
  })
  .meta({ title: 'ProcessDetails' });

/** What only the process itself can say is its own. */
export type ProcessDetails = Readonly<
  Omit<z.infer<z.ZodObject<typeof processDetails.shape>>, 'progress' | 'actions'>
> & {
  readonly progress: ProcessProgress | null;
  readonly actions: Actions | null;
};
