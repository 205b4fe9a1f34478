// `watch` in a real terminal (tmux) and in a pipe: the real program, a real Temporal, a real flow.
import { expect, test, vi } from 'vitest';
import { isLongSuite } from '../../support/suite.ts';
import { flowsAtHand, newKey } from '../flows-at-hand.ts';
import { run, startProgram } from './lockerflow-program.ts';
import { hasTmux, noTmux, openTerminal, openTerminalOf } from './terminal-window.ts';

const at = flowsAtHand();
const until = { timeout: 60_000, interval: 100 };

test.runIf(isLongSuite)(
  'in a terminal, draws over itself until the flow has ended, and leaves its last picture',
  async ({ skip }) => {
    if (!hasTmux) skip(noTmux);
    const { workflowId, shipmentUid } = await at.issue({ deadlines: { issue: { dropOff: 'P3D' } } });
    const { lines, shows } = await openTerminal('watch', workflowId);
    await shows('ReadyForDropoff');
    expect((await lines()).join('\n')).toMatch(/issue\.dropOff +\S+ \S+ +in 2 d 23 h/);
    await at.outside.does(shipmentUid, 'ItemDroppedOff');
    await shows('ReadyForPickup');
    await at.outside.does(shipmentUid, 'ItemPickedUp');
    await shows('ended with 0');

    const picture = await lines();
    expect(picture[0]).toBe(workflowId);
    expect(picture[1]).toBe('Issue@1: Ended, Done');
    expect(picture.find((line) => line.startsWith('issue '))).toContain('Completed');
    // One picture: what was drawn before is gone.
    expect(picture.filter((line) => line.includes('Issue@1'))).toHaveLength(1);
  },
);

test.runIf(isLongSuite)(
  'in a terminal of 80 columns, shows what one needs whole: the state, the place, the deadline, the end of each line',
  async ({ skip }) => {
    if (!hasTmux) skip(noTmux);
    const { workflowId, shipmentUid } = await at.issue({ deadlines: { issue: { dropOff: 'P3D' } } });
    const { lines, shows } = await openTerminalOf(80, ['watch', workflowId]);
    await shows('ReadyForDropoff');
    await at.outside.does(shipmentUid, 'ItemDroppedOff');
    await shows('ReadyForPickup');
    const shown = await lines();
    const { pupUid, lockerName } =
      (await at.flows.handle<'Issue'>(workflowId).progress()).shipments.issue ?? {};
    expect(shown.join('\n')).toMatch(new RegExp(`^issue +ReadyForPickup .*${pupUid} +${lockerName}`, 'm'));
    // The uid, which a person here needs least, has made room; no other column is cut.
    expect(shown.join('\n')).not.toContain(shipmentUid.slice(0, 8));
    expect(shown.join('\n')).toMatch(/last reports .* what became of it$/m);
  },
);

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
    /^\S+Z {2}Following, Open {2}issue ReadyForDropoff {2}awaits: issue to be dropped off$/,
  );
  expect(lines.at(-1)).toContain('Ended, Cancelled  issue Cancelled');
  expect(out).not.toContain('\u001b');
});

test('ends with 3 where there is no such flow', async () => {
  expect(await run(['watch', newKey()])).toMatchObject({ code: 3, out: '' });
});
