// `watch`, in a real terminal (tmux) and in a pipe: the real program, a real Temporal, a real flow.
import { expect, test, vi } from 'vitest';
import { isLongSuite } from '../../support/suite.ts';
import { flowsAtHand, newKey } from '../flows-at-hand.ts';
import { run, startProgram } from './lockerflow-program.ts';
import { hasTmux, noTmux, openTerminal } from './terminal-window.ts';

const at = flowsAtHand();
const until = { timeout: 60_000, interval: 100 };

test.runIf(isLongSuite)('in a terminal, Ctrl-C ends it with 130 and the flow goes on', async ({ skip }) => {
  if (!hasTmux) skip(noTmux);
  const { workflowId } = await at.issue();
  const { shows, type } = await openTerminal('watch', workflowId);
  await shows('ReadyForDropoff');
  await type('C-c');
  await shows('ended with 130');
  expect((await at.client.workflow.getHandle(workflowId).describe()).status.name).toBe('RUNNING');
});

test('in a pipe, writes a line for each change, and ends with 5 when the flow did not end as Done', async () => {
  const { workflowId } = await at.issue();
  const watching = startProgram(['watch', workflowId]);
  await vi.waitUntil(() => watching.out().includes('issue ReadyForDropoff'), until);
  await at.client.workflow.getHandle(workflowId).cancel();
  const { code, out, err } = await watching.ended;
  expect({ code, err }).toEqual({ code: 5, err: `lockerflow: ${workflowId} was cancelled\n` });
  const lines = out.trim().split('\n');
  expect(lines[0]).toMatch(
    /^\S+Z {2}Following, Open {2}issue ReadyForDropoff {2}waiting for: issue to be dropped off$/,
  );
  expect(lines.at(-1)).toContain('Ended, Cancelled  issue Cancelled');
  expect(out).not.toContain('\u001b');
});

test('ends with 3 where there is no such flow', async () => {
  expect(await run(['watch', newKey()])).toMatchObject({ code: 3, out: '' });
});
