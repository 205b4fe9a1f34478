// Sends an event from outside to a process of a flow file. If no state takes it, nothing changes.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../flow-files/flow-file.ts';
import { type Acting, answered } from '../at-temporal.ts';
import { command, ofOpenProcess } from './command.ts';
import { refusedFields, text } from './read-values.ts';

const input = z.strictObject({
  type: text,
  /** A repeated id is ignored. */
  id: z.string().min(1).max(200).optional(),
  /** More about it; expressions see it as event.data. */
  data: z
    .json()
    .transform((data) => data as Json)
    .optional(),
});
type Input = z.infer<typeof input>;

export type EventInput = Input;

export interface Sent {
  readonly type: string;
  readonly id: string;
}

export const event = command({
  ...{ name: 'event', right: 'decide', why: 'optional', input },
  flowOf: ofOpenProcess,
  check: requireFromOutside,
  async preview(acting, key: string, given: Input) {
    const { events = [] } = await answered(acting, () => acting.flows.fileHandle(key).progress());
    return { type: given.type, isTaken: events.includes(given.type) };
  },
  async act(acting, key, given): Promise<Sent> {
    await requireFromOutside(acting, key, given);
    const { type, id = randomUUID(), data } = given;
    const sent = { type, id, ...(data !== undefined && { data }) };
    await acting.flows.fileHandle(key).tell(sent);
    return { type, id };
  },
  would: ({ type, isTaken }) =>
    isTaken ? `the process takes ${type}` : `no state takes ${type} now: nothing would change`,
  did: ({ type }) => `has been told ${type}`,
});

/**
 * Throws Refusal where the event comes only from a flow that the process has started. Without a worker nobody can say: the
 * process itself drops such an event later.
 */
async function requireFromOutside(acting: Acting, key: string, { type }: Input): Promise<void> {
  const asked = answered(acting, () => acting.flows.fileHandle(key).progress());
  const { childEvents = [] } = await asked.catch(() => ({ childEvents: [] as readonly string[] }));
  const isOfChild = childEvents.some(
    (taken) => taken === type || (taken.endsWith('.*') && type.startsWith(taken.slice(0, -1))),
  );
  if (isOfChild)
    throw refusedFields({
      type: 'comes only from the flow that the process has started: nobody else may send it',
    });
}
