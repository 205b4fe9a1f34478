// docs/flow-files.md: What an event says. The schemas of events on a real Temporal: the door refuses what does not fit by the version
// that the process runs on; what comes past it is put aside, also across runs.
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { EventChecks } from '../../../client/flow-files/event-checks.ts';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { decoderOf, runsOf } from '../../../processes/views/history.ts';
import { timelineOf } from '../../../processes/views/timeline.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { fileOf } from '../../flows/language/names.ts';
import { runningFiles, uniqueName, untilProgress, withShortRunsToo } from './running-files.ts';

const lending = (name: string, type: string) => `
name: ${name}
meaning: A loan that may be extended.
events:
  extension.wanted: { data: { type: object, required: [days], properties: { days: { type: ${type} } } } }
context: { days: [] }
initial: lent
states:
  lent:
    on:
      extension.wanted: { actions: { type: assign, params: { days: "\${context.days + [event.data.days]}" } } }
      returned: over
  over: { type: final }
output: "\${context.days}"
`;

withShortRunsToo((files, hasShortRuns) => {
  test('an event that comes past the door and does not fit is put aside and shown, and halts nothing', async () => {
    const name = uniqueName('Lending');
    await files.publish(lending(name, 'integer'));
    const handle = await files.start(name, {});
    const send = (data: unknown, id: string) =>
      handle.signal('event', { type: 'extension.wanted', data, id });
    await send({ days: 'three' }, 'a');
    await send({ days: 3 }, 'b');
    // Rounds, so that a process with short runs continues as a new one meanwhile.
    const days = Array.from({ length: hasShortRuns ? 30 : 1 }, (_, index) => index);
    for (const each of days) await send({ days: each }, `c-${each}`);
    // It has not been taken under this id.
    await send({ days: 4 }, 'a');
    const { halted, dropped, misfits } = await untilProgress(
      handle,
      ({ dropped: count, state }) => count === 1 && state === 'lent',
    );
    expect({ halted, dropped, misfits }).toEqual({
      halted: null,
      dropped: 1,
      misfits: [{ type: 'extension.wanted', id: 'a', reason: 'data.days must be integer' }],
    });
    await send({ days: 'five' }, 'd');
    await handle.signal('event', { type: 'returned' });
    expect(await handle.result()).toEqual([3, ...days, 4]);
    const told = await eventsTold(files.client, handle.workflowId);
    const putAside = 'data.days must be integer';
    const misfit = { type: 'signalled', name: 'event', event: 'extension.wanted', putAside };
    expect(told.filter((each) => each.putAside ?? each.isRepeated)).toEqual([misfit, misfit]);
    expect(told).toHaveLength(days.length + 5);
    await files.replays(handle.workflowId);
  }, 60_000);
});

const files = runningFiles();

/** Those from outside, as its timeline has them. */
async function eventsTold(client: Client, key: string) {
  const { entries } = await timelineOf(await runsOf(client, key), decoderOf(client), () => undefined);
  return entries.flatMap(({ data }) => (data.type === 'signalled' ? [data] : []));
}

const DAYS = '{ data: { type: object, required: [days], properties: { days: { type: integer } } } }';

test('what flows tell each other and themselves is put aside where it does not fit, and halts nobody', async () => {
  const [parent, child, other] = [uniqueName('Parent'), uniqueName('Child'), uniqueName('Other')];
  const device = randomUUID();
  await files.publish(`
name: ${child}
meaning: Is told, and tells.
events: { said: ${DAYS}, raised: ${DAYS} }
context: { heard: [] }
initial: waiting
states:
  waiting:
    on:
      said:
        actions:
          - { type: assign, params: { heard: "\${context.heard + [event.data.days]}" } }
          - { type: raise, params: { type: raised, data: { days: "\${string(event.data.days)}" } } }
          - { type: sendParent, params: { type: told, data: { days: "\${string(event.data.days)}" } } }
          - { type: sendParent, params: { type: told, data: "\${event.data}" } }
      raised: over
  over: { type: final }
`);
  await files.publish(`
name: ${other}
meaning: Is told by business data.
correlate: { device: "\${input.device}" }
input: { type: object, required: [device], properties: { device: { type: string } } }
events: { said: ${DAYS} }
initial: waiting
states: { waiting: { on: { said: over } }, over: { type: final } }
`);
  await files.publish(`
name: ${parent}
meaning: Tells others.
input: { type: object, required: [device], properties: { device: { type: string } } }
events: { child.told: ${DAYS} }
context: { heard: [] }
initial: telling
states:
  telling:
    invoke: { id: child, src: ${child}, onDone: over, onError: over }
    on:
      say:
        actions:
          - { type: sendTo, params: { to: child, type: said, data: "\${event.data}" } }
          - { type: sendTo, params: { where: { device: "\${input.device}" }, type: said, data: "\${event.data}" } }
      child.told: { actions: { type: assign, params: { heard: "\${context.heard + [event.data.days]}" } } }
  over: { type: final }
`);
  const listening = await files.start(other, { request: { device } });
  await untilProgress(listening, ({ keys }) => keys?.device === device);
  const handle = await files.start(parent, { request: { device } });
  await untilProgress(handle, ({ children }) => children[0]?.key != null);
  const { workflow } = files.client;
  const childHandle = workflow.getHandle(`${handle.workflowId}/child`);
  await handle.signal('event', { type: 'say', data: { days: 'two' } });
  const wrong = {
    halted: null,
    dropped: 1,
    misfits: [{ type: 'said', reason: 'data.days must be integer' }],
  };
  expect(await untilProgress(listening, ({ dropped }) => dropped === 1)).toMatchObject(wrong);
  expect(await untilProgress(childHandle, ({ dropped }) => dropped === 1)).toMatchObject(wrong);
  await handle.signal('event', { type: 'say', data: { days: 2 } });
  expect(await untilProgress(handle, ({ dropped }) => dropped === 1)).toMatchObject({
    halted: null,
    misfits: [{ type: 'child.told', reason: 'data.days must be integer' }],
  });
  await vi.waitFor(
    async () =>
      expect(await handle.query('progress', { context: true })).toMatchObject({ context: { heard: [2] } }),
    { timeout: 20_000, interval: 50 },
  );
  expect(await childHandle.query('progress', { context: true })).toMatchObject({
    context: { heard: [2] },
    halted: null,
    dropped: 2,
    state: 'waiting',
    misfits: [wrong.misfits[0], { type: 'raised', reason: 'data.days must be integer' }],
  });
  await listening.result();
  for (const key of [handle, childHandle]) await files.replays(key.workflowId);
}, 90_000);

test('the door refuses by the version that the process runs on, with the field, whether a worker runs or not', async () => {
  const name = uniqueName('Lending');
  await files.publish(lending(name, 'integer'));
  const old = await files.start(name, {});
  await untilProgress(old, ({ version }) => version === 1);
  await files.publish(lending(name, 'string'));
  const young = await files.start(name, {});
  await untilProgress(young, ({ version }) => version === 2);
  const flows = new LockerFlows(files.client, { taskQueue: files.taskQueue });
  const sendTo = (key: string, days: unknown) =>
    flows.fileHandle(key).sendEvent({ type: 'extension.wanted', data: { days } as never });
  const refusal = (message: string) => ({
    code: 'InvalidRequest',
    issues: [{ field: 'data.days', message }],
  });
  await expect(sendTo(old.workflowId, 'three')).rejects.toMatchObject(
    refusal('must be integer, not "three"'),
  );
  await expect(sendTo(young.workflowId, 3)).rejects.toMatchObject(refusal('must be string, not 3'));
  await sendTo(old.workflowId, 3);
  await files.restartWorker(async () => {
    await expect(sendTo(young.workflowId, 3)).rejects.toMatchObject(refusal('must be string, not 3'));
    await sendTo(young.workflowId, 'three');
  });
  for (const [handle, days] of [
    [old, [3]],
    [young, ['three']],
  ] as const) {
    await vi.waitFor(
      async () =>
        expect(await handle.query('progress', { context: true })).toMatchObject({
          context: { days },
          dropped: 0,
        }),
      { timeout: 20_000, interval: 50 },
    );
  }
}, 60_000);

test('the timeline says what was put aside, and why, by the version on which the process was then', async () => {
  const name = uniqueName('Lending');
  await files.publish(lending(name, 'integer'));
  const handle = await files.start(name, {});
  const send = (days: unknown) => handle.signal('event', { type: 'extension.wanted', data: { days } });
  await untilProgress(handle, ({ state }) => state === 'lent');
  await send('three');
  await send(3);
  const renamed = 'extension.wanted: { was: extension.asked, actions';
  const file = fileOf(lending(name, 'string').replace('extension.wanted: { actions', renamed));
  const to = { file, version: 2, publishedAt: '2026-01-05T09:00:00Z' };
  await handle.executeUpdate('migrate', { args: [{ semantics: 1, to, by: 'anna', why: 'a test' }] });
  await send('three');
  await send(3);
  await handle.signal('event', { type: 'extension.asked', data: { days: 3 } });
  await handle.signal('event', { type: 'xstate.init' });
  await handle.signal('event', { type: 'returned' });
  await handle.result();
  const told = await eventsTold(files.client, handle.workflowId);
  expect(told.map(({ putAside }) => putAside)).toEqual([
    'data.days must be integer',
    undefined,
    undefined,
    'data.days must be string',
    'data.days must be string',
    'nobody outside may send it',
    undefined,
  ]);
  const { out } = await run(['show', handle.workflowId], { taskQueue: files.taskQueue });
  expect(out).toContain('It hears: “extension wanted”, which is put aside: data.days must be integer.');
}, 60_000);

test('by business data, whoever is on a former version still gets what the newest does not know', async () => {
  const name = uniqueName('Repair');
  const [key, device] = [`device-${name}`, randomUUID()];
  const repair = (event: string) => `
name: ${name}
meaning: A repair.
correlate: { ${key}: "\${input.device}" }
input: { type: object, required: [device], properties: { device: { type: string } } }
initial: waiting
states: { waiting: { on: { ${event}: over } }, over: { type: final } }
`;
  await files.publish(repair('repair.done'));
  const handle = await files.start(name, { request: { device } });
  const flows = new LockerFlows(files.client, { taskQueue: files.taskQueue });
  const send = (type: string) => flows.sendEvent({ type, where: { [key]: device } });
  await untilProgress(handle, ({ keys }) => keys !== undefined && Object.keys(keys).length > 0);
  await expect(send('repair.don')).rejects.toMatchObject({
    issues: [{ field: 'type', message: expect.stringContaining('expected repair.done, perhaps') }],
  });
  await expect(send('constructor')).rejects.toMatchObject({ issues: [{ field: 'type' }] });
  await files.publish(repair('device.ready'));
  // What it has read of the flows a moment ago refuses nothing.
  await expect(
    flows.sendEvent({ type: 'device.ready', where: { [key]: randomUUID() } }),
  ).resolves.toMatchObject({
    flows: [name],
  });
  await vi.waitFor(() => send('repair.done'), { timeout: 20_000, interval: 100 });
  await handle.result();
}, 60_000);

test('whoever sends while the flows are read reads them no second time', async () => {
  const name = uniqueName('Repair');
  const key = `device-${name}`;
  await files.publish(`
name: ${name}
meaning: A repair.
correlate: { ${key}: "\${input.device}" }
input: { type: object, required: [device], properties: { device: { type: string } } }
initial: waiting
states: { waiting: { on: { repair.done: over } }, over: { type: final } }
`);
  const checks = new EventChecks(files.client);
  using listed = vi.spyOn(files.client.workflow, 'list');
  const event = { type: 'repair.done', where: { [key]: 'a' } };
  const flows = await Promise.all([1, 2, 3].map(() => checks.requireTaken(event, false)));
  expect(flows).toEqual([[name], [name], [name]]);
  expect(listed).toHaveBeenCalledTimes(1);
});
