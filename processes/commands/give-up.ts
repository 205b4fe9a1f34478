// Gives up a process that waits for a person: a flow in doubt ends without knowing whether it was booked, a halted process of a
// flow file cancels what it has started, and fails. The history keeps who decided and why.
import { z } from 'zod';
import { type Acting, answered, decisionOf } from '../at-temporal.ts';
import { processCommand } from './command.ts';

export const giveUp = processCommand({
  name: 'giveUp',
  why: 'needed',
  input: z.strictObject({}),
  meaning: 'Ends a process that does not know how to continue',
  example: { why: 'settled by hand' },
  forms: {
    'resolve.giveUp': {
      label: 'Give the process up',
      isDestructive: true,
      meaning: 'The process ends. What it could not cancel stays booked at the locker service.',
    },
    giveUp: {
      label: 'Give the process up',
      isDestructive: true,
      meaning: 'The process cancels what it has started, and fails. It cannot be continued.',
    },
  },
  fields: decisionOf,
  async act(acting, key): Promise<null> {
    await givenUp(acting, key);
    return null;
  },
  did: () => 'giveUp is done',
});

/** The two kinds of process have an update of their own for it. */
export async function givenUp(acting: Acting, key: string): Promise<void> {
  const file = acting.flows.fileHandle(key);
  const decided = decisionOf(acting);
  const isFile = 'held' in (await answered(acting, () => file.progress()));
  await answered(acting, () =>
    isFile ? file.giveUp(decided) : acting.flows.handle(key).resolve({ action: 'giveUp', ...decided }),
  );
}
