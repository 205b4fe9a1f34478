// Which flow is asked to move the deadline that ends first, and how often processes are asked before. Both are stand-ins: that a real
// process moves it is shown by commands.test.ts.
import { expect, test } from 'vitest';
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import { extend } from '../../../processes/commands/extend.ts';
import type { CommandContext } from '../../../processes/temporal-context.ts';
import { newFileProgress } from '../../support/progress.ts';

const booking = (until: string) => ({
  id: 'loan',
  isWhole: true,
  shipments: { issue: {} },
  unassigned: [],
  deadlines: [{ role: 'issue', stage: 'pickUp', until, ahead: false }],
});

const timer = (id: string, until: string) => ({ kind: 'time', id, until, words: '' });

/** A case that has begun one flow, which books. */
function standIn(part: Partial<Record<keyof ProcessProgress, unknown>>) {
  const asked: string[] = [];
  const moved: unknown[] = [];
  const progresses: Readonly<Record<string, ProcessProgress>> = {
    case: newFileProgress({ children: [{ key: 'part' }] } as never),
    part: newFileProgress(part as never),
  };
  const commandContext = {
    by: 'anna',
    why: 'she is ill',
    client: {
      withDeadline: <Answer>(_: number, ask: () => Answer) => ask(),
      workflow: {
        getHandle: () => ({ describe: async () => ({ status: { name: 'RUNNING' }, type: 'Loan' }) }),
      },
    },
    flows: {
      fileHandle: (key: string) => ({
        progress: async () => {
          asked.push(key);
          return progresses[key];
        },
      }),
      handle: (key: string) => ({
        extendDeadline: async ({ role, timer: id }: { role?: string; timer?: string }) => {
          moved.push([key, role ?? id]);
          return { from: null, until: null, isAhead: false };
        },
      }),
    },
  } as unknown as CommandContext;
  const extendNext = () => extend.do(commandContext, 'case', { next: true, extendBy: 'P1D' } as never);
  return { asked, moved, extendNext };
}

test('each process is asked once for the deadline that ends first, whichever of them has it', async () => {
  const { asked, moved, extendNext } = standIn({ bookings: [booking('2031-05-01T00:00:00.000Z')] });
  expect(await extendNext()).toMatchObject({ done: true, value: { role: 'issue', stage: 'pickUp' } });
  expect(moved).toEqual([['part', 'issue']]);
  expect(asked).toEqual(['case', 'part']);
});

test('a timer of a flow that the process has begun is moved there, not at the process', async () => {
  const { moved, extendNext } = standIn({
    bookings: [booking('2031-05-09T00:00:00.000Z')],
    waitingFor: [timer('reminder', '2031-05-01T00:00:00.000Z')],
  });
  expect(await extendNext()).toMatchObject({ done: true, value: { timer: 'reminder' } });
  expect(moved).toEqual([['part', 'reminder']]);
});
