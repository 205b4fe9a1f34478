// Gives up a process that waits for a person: a flow in doubt ends without knowing whether it was booked, a process of a flow
// file that is held cancels what it has started, and fails. The history keeps who decided and why.
import { z } from 'zod';
import { type Acting, answered } from '../at-temporal.ts';
import { command, decidedBy, ofOpenProcess } from './command.ts';

export const giveUp = command({
  ...{ name: 'giveUp', right: 'decide', why: 'needed', input: z.strictObject({}) },
  flowOf: ofOpenProcess,
  preview: async (): Promise<null> => null,
  async act(acting, key: string): Promise<null> {
    await givenUp(acting, key);
    return null;
  },
  would: () => 'the process is given up, and ends; it cannot be continued',
  did: () => 'giveUp is done',
});

/** The two kinds of process have an update of their own for it. */
export async function givenUp(acting: Acting, key: string): Promise<void> {
  const file = acting.flows.fileHandle(key);
  const decided = decidedBy(acting);
  const isFile = 'held' in (await answered(acting, () => file.progress()));
  await answered(acting, () =>
    isFile ? file.giveUp(decided) : acting.flows.handle(key).resolve({ action: 'giveUp', ...decided }),
  );
}
