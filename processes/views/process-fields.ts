// The fields that every view of a process has, and how they are spelled: the same words in the command line, the API and the page.
import { z } from 'zod';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { uid } from '../../contract/wire/fields.ts';
import { NAME } from '../../flows/language/flow-file.ts';

export const statuses = ['Running', 'Completed', 'Failed', 'Cancelled', 'Terminated', 'TimedOut'] as const;
export type Status = (typeof statuses)[number];

/** By Temporal's names. */
const byName: Readonly<Record<string, Status>> = {
  RUNNING: 'Running',
  // Between two runs of one process.
  CONTINUED_AS_NEW: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
  TERMINATED: 'Terminated',
  TIMED_OUT: 'TimedOut',
};

/** A name like RUNNING. */
export const statusNamed = (name: string): Status => byName[name] ?? 'Running';

export const processFields = {
  key: z.string().meta({ description: 'Its business key', examples: ['order-1042'] }),
  runId: z.string().meta({ description: 'A process that is started anew after a failure has a new one' }),
  status: z.enum(statuses),
  startedAt: z.string().nullable().meta({ description: 'ISO 8601 in UTC' }),
  closedAt: z.string().nullable().meta({ description: 'ISO 8601 in UTC; null while it runs' }),
};

const RESERVED = [...Object.values(internalIds), 'temporal-sys-'];

/** The business key of a process that exists. */
export const key = uid.meta({ description: 'The business key of the process', examples: ['order-1042'] });

/** One that a process may be started with. */
export const newKey = key.regex(
  new RegExp(`^(?!${RESERVED.join('|')}|\\.{1,2}$)`),
  'must not begin like the ids of lockerflow itself, nor be . or ..; expected a key of your own, like order-1042',
);

export const flowName = z
  .string()
  .regex(NAME, 'must be the name of a flow, like Issue')
  .meta({ description: 'The name of a flow, built in or published', examples: ['Issue'] });

/** With a request that changes a process. */
export const why = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .meta({
    description: 'Why; the process keeps it with who and when',
    examples: ['the order was withdrawn'],
  });

/** With a request that starts a process. */
export const ifEnded = z.enum(['return', 'restart']).meta({
  description:
    'What becomes of a key whose process has ended. `return`, unless given: that process, however it ended, if the input is the same. `restart`: a new process, also with other input; one that has ended with a result keeps its key, and refuses it. Either way one that runs is given if the input is the same',
});
