// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// A process that waits for moments that are past, on a real Temporal, which takes a second for each such wait.
import { expect, test, vi } from 'vitest';
import type { FlowFileProgress } from '../../../../client/flow-files/flow-file-handle.ts';
import { eventsOf } from '../../../support/history.ts';
import { runningFiles, uniqueName, untilProgress } from '../../../workflows/flow-files/running-files.ts';

const files = runningFiles();
const PATIENCE_MS = 300_000;

/** Goes around so many times by a moment that is past. */
const goingAround = (name: string): string => `
name: ${name}
meaning: Looks again at a moment that is past by then.
input: { type: object, required: [rounds, since], properties: { rounds: { type: integer }, since: { type: string, format: date-time } } }
context: { done: 0 }
initial: looking
states:
  looking:
    always: { guard: "\${context.done >= input.rounds}", target: over }
    after:
      "\${input.since}": { target: looking, reenter: true, actions: { type: assign, params: { done: "\${context.done + 1}" } } }
    on: { END: over }
  over: { type: final }
output: "\${context.done}"
`;

const since = '2020-01-01T00:00:00Z';

// At the same time: each takes two minutes, in which nothing is busy.
test(
  'a process that goes around without a pause is halted, and goes on once a person has decided',
  async () => {
    const name = uniqueName('Around');
    await files.publish(goingAround(name));
    const start = (rounds: number) => files.start(name, { request: { rounds, since } });
    const [short, handle] = [await start(90), await start(1_000_000)];
    await untilProgress(handle, ({ phase }) => phase === 'Open');
    const { halted, state } = await vi.waitUntil(
      async () => {
        const progress = await handle.query<FlowFileProgress>('progress');
        return progress.phase === 'NeedsPerson' && progress;
      },
      { timeout: PATIENCE_MS, interval: 1_000 },
    );
    expect(halted).toMatchObject({
      code: 'GoesAround',
      message: expect.stringContaining('after ${input.since}: the process goes around without a pause'),
    });
    expect(state).toBe('looking');
    const fired = (await eventsOf(handle)).filter((type) => type === 'TIMER_FIRED');
    expect(fired).toHaveLength(101);
    await handle.executeUpdate('dropEvent');
    await handle.signal('event', { type: 'END' });
    expect(await handle.result()).toBe(100);
    expect(await eventsOf(handle)).not.toContain('WORKFLOW_TASK_FAILED');
    expect(await short.result()).toBe(90);
  },
  PATIENCE_MS,
);
