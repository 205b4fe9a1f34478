// `watch` in a real terminal (tmux) and in a pipe: the real program, a real Temporal, a real flow.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { flowsAtHand, newKey } from '../flows-at-hand.ts';
import { run, startProgram } from './lockerflow-program.ts';

const at = flowsAtHand();
const program = fileURLToPath(new URL('../../../client/command-line/lockerflow.mjs', import.meta.url));
const until = { timeout: 25_000, interval: 100 };

const socket = `lockerflow-${randomUUID()}`;
const tmux = async (...words: string[]) =>
  (await promisify(execFile)('tmux', ['-L', socket, ...words])).stdout;
const hasTmux = await tmux('-V').then(
  () => true,
  () => false,
);

test('in a terminal, draws over itself until the flow has ended, and leaves its last picture', async ({
  skip,
}) => {
  if (!hasTmux) skip('tmux is not installed: the display in a terminal is not tested');
  const { workflowId, shipmentUid } = await at.issue({ deadlines: { issue: { dropOff: 'P3D' } } });
  const environment = ['-e', `TEMPORAL_ADDRESS=${inject('temporalAddress')}`, '-e', 'NODE_NO_WARNINGS=1'];
  const command = `'${process.execPath}' '${program}' watch ${workflowId}; echo "ended with $?"; cat`;
  onTestFinished(async () => void (await tmux('kill-server').catch(() => undefined)));
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', '130', '-y', '30', ...environment, command);
  const screen = () => tmux('capture-pane', '-p');

  const shows = (text: string) => vi.waitUntil(async () => (await screen()).includes(text), until);
  await shows('ReadyForDropoff');
  expect(await screen()).toMatch(/issue\.dropOff +\S+ \S+ +in 2 d 23 h/);
  await at.outside.does(shipmentUid, 'ItemDroppedOff');
  await shows('ReadyForPickup');
  await at.outside.does(shipmentUid, 'ItemPickedUp');
  await shows('ended with 0');

  const lines = (await screen()).trimEnd().split('\n');
  expect(lines[0]).toBe(workflowId);
  expect(lines[1]).toBe('Issue@1: Ended');
  expect(lines.find((line) => line.startsWith('issue '))).toContain('Completed');
  // One picture: what was drawn before is gone.
  expect(lines.filter((line) => line.includes('Issue@1'))).toHaveLength(1);
});

test('in a terminal, Ctrl-C ends it with 130 and the flow goes on', async ({ skip }) => {
  if (!hasTmux) skip('tmux is not installed: the display in a terminal is not tested');
  const { workflowId } = await at.issue();
  const environment = ['-e', `TEMPORAL_ADDRESS=${inject('temporalAddress')}`, '-e', 'NODE_NO_WARNINGS=1'];
  const command = `trap '' INT; '${process.execPath}' '${program}' watch ${workflowId}; echo "ended with $?"; cat`;
  onTestFinished(async () => void (await tmux('kill-server').catch(() => undefined)));
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', '130', '-y', '30', ...environment, command);
  await vi.waitUntil(async () => (await tmux('capture-pane', '-p')).includes('ReadyForDropoff'), until);
  await tmux('send-keys', 'C-c');
  await vi.waitUntil(async () => (await tmux('capture-pane', '-p')).includes('ended with 130'), until);
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
    /^\S+Z {2}Following, Open {2}issue ReadyForDropoff {2}awaits: issue to be dropped off$/,
  );
  expect(lines.at(-1)).toContain('Ended  issue Cancelled');
  expect(out).not.toContain('\u001b');
});

test('ends with 3 where there is no such flow', async () => {
  expect(await run(['watch', newKey()])).toMatchObject({ code: 3, out: '' });
});
