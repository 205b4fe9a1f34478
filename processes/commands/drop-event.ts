// Lets a process of a flow file that is held go on without the event whose step cannot be taken. The history keeps who decided
// and why.
import { z } from 'zod';
import { answered } from '../at-temporal.ts';
import { Refusal } from '../outcome.ts';
import { command, decidedBy, ofOpenProcess } from './command.ts';

export interface Dropped {
  readonly event: string;
}

export const dropEvent = command({
  ...{ name: 'dropEvent', right: 'decide', why: 'needed', input: z.strictObject({}) },
  flowOf: ofOpenProcess,
  async preview(acting, key: string): Promise<Dropped> {
    const { held } = await answered(acting, () => acting.flows.fileHandle(key).progress());
    if (held) return { event: held.event };
    throw new Refusal('refused', 'NotHeld', `${key} is not held: it has no event that it cannot take`);
  },
  async act(acting, key): Promise<null> {
    await answered(acting, () => acting.flows.fileHandle(key).dropEvent(decidedBy(acting)));
    return null;
  },
  would: ({ event }) =>
    `The event ${event}, whose step cannot be taken, is dropped. The process goes on as if it had never come.`,
  did: () => 'dropEvent is done',
});
