// Commands to processes: what they announce is what the process says, a bulk keeps who and why as one alone does, and each
// outcome has a kind and a code.
import { describe, expect, test, vi } from 'vitest';
import type { Progress } from '../../../contract/flows/flow-answers.ts';
import type { Role } from '../../../contract/flows/flow-input.ts';
import { flowRules, type ShipmentFlowType } from '../../../contract/flows/flow-rules.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { definitionWorkflowId } from '../../../flows/language/registry.ts';
import { forMany } from '../../../processes/bulk.ts';
import type { Command } from '../../../processes/commands/command.ts';
import { commands } from '../../../processes/commands/commands.ts';
import { cancel, giveUp } from '../../../processes/commands/end.ts';
import { extend, shorten, undoExtension } from '../../../processes/commands/extend.ts';
import { message } from '../../../processes/commands/message.ts';
import { note } from '../../../processes/commands/note.ts';
import { adopt } from '../../../processes/commands/resolve.ts';
import { start } from '../../../processes/commands/start.ts';
import { startAgain } from '../../../processes/commands/start-again.ts';
import { orThrow } from '../../../processes/outcome.ts';
import type { CommandContext } from '../../../processes/temporal-context.ts';
import { keepReport } from '../../../shared/routing/keep-unmatched.ts';
import { flowsAtHand, newKey } from '../../client/flows-at-hand.ts';
import { eventsOf } from '../../support/history.ts';
import { uniqueName } from '../../workflows/flow-files/running-files.ts';
import { reportOf } from '../../workflows/outside.ts';

const at = flowsAtHand();
const commandContext = (why?: string): CommandContext => ({
  client: at.client,
  flows: at.flows,
  taskQueue: at.taskQueue,
  by: 'anna',
  why,
});

/** Booked, and following its shipments. */
async function following(flow: ShipmentFlowType, prior?: string): Promise<string> {
  const key = newKey();
  const { request } = examples[flowRules[flow].operation];
  const input = { request: { ...request, ...(prior !== undefined && { priorShipmentUid: prior }) } };
  orThrow(await start.do(commandContext(), key, { flow, input }));
  await vi.waitUntil(async () => (await at.flows.handle<'Issue'>(key).progress()).activity === 'Following', {
    timeout: 60_000,
  });
  return key;
}

const uidOf = async (key: string, role: Role): Promise<string> =>
  ((await at.flows.handle<'Issue'>(key).progress()) as Progress).shipments[role]?.shipmentUid ?? '';

const effects = async (key: string) =>
  orThrow(await cancel.preview(commandContext(), key, {}))?.shipments.map(({ role, effect }) => [
    role,
    effect,
  ]);

describe('the cancellation that is announced', () => {
  test('leaves to its own process the intake that stock comes after', async () => {
    const key = await following(
      'StockAfterSwapIntake',
      await uidOf(await following('IssueAndSwapIntake'), 'intake'),
    );
    expect(await effects(key)).toEqual([
      ['intake', 'Stays'],
      ['stock', 'Cancelled'],
    ]);
    expect(cancel.formatPreview(orThrow(await cancel.preview(commandContext(), key, {})))).toContain(
      'cancels the stock; leaves the return as it is',
    );
  });

  test('only removes the receiver of stock that is issued', async () => {
    const stock = await uidOf(await following('Stock'), 'stock');
    const key = await following('IssueFromStock', stock);
    const [[, effect] = []] = (await effects(key)) ?? [];
    expect(effect).toMatch(/^ReceiverRemoved/);
    expect(cancel.formatPreview(orThrow(await cancel.preview(commandContext(), key, {})))).toContain(
      'the receiver of the delivery',
    );
  });
});

test('a bulk has an outcome for each, and an interruption leaves out what was not begun', async () => {
  const { workflowId } = await at.issue();
  const outcomes = new Map();
  const input = { role: 'issue', stage: 'dropOff', fromNow: 'P1D' } as const;
  const act = (key: string) => extend.do(commandContext('ill'), key, input);
  for await (const { key, outcome } of forMany([workflowId, 'nobody'], act))
    outcomes.set(key, outcome.done || outcome.error.code);
  expect(Object.fromEntries(outcomes)).toEqual({ [workflowId]: true, nobody: 'FlowNotFound' });
  const stopped = AbortSignal.abort();
  for await (const { key } of forMany([workflowId], act, { interrupted: stopped }))
    expect(key).toBe('none is begun');
});

test('the deadline that ends next is extended without being named; where none runs, the dry run says so too', async () => {
  const { workflowId: key } = await at.issue({ deadlines: { issue: { dropOff: 'P1D' } } });
  const next = orThrow(extend.read({ next: true, fromNow: 'P3D' }));
  expect(extend.formatPreview(orThrow(await extend.preview(commandContext(), key, next)))).toMatch(
    /^delivery to be dropped off: .* → /,
  );
  expect(orThrow(await extend.do(commandContext('ill'), key, next))).toMatchObject({
    role: 'issue',
    stage: 'dropOff',
  });
  const { workflowId: without } = await at.issue();
  for (const outcome of [
    await extend.preview(commandContext(), without, next),
    await extend.do(commandContext('ill'), without, next),
  ])
    expect(outcome).toMatchObject({ error: { kind: 'refused', code: 'NoDeadlineRuns' } });
  expect(extend.read({ next: true, role: 'issue', fromNow: 'P3D' })).toMatchObject({
    error: { fields: { role: expect.stringContaining('expected only one of') } },
  });
});

test('more time never becomes less: that is another command, and each can be taken back', async () => {
  const { workflowId: key } = await at.issue({ deadlines: { issue: { dropOff: 'P14D' } } });
  const why = commandContext('she is ill');
  const dropOff = { role: 'issue', stage: 'dropOff' } as const;
  const tomorrow = { next: true, fromNow: 'P1D' } as const;
  const isRefused = {
    done: false,
    error: { kind: 'refused', message: expect.stringContaining('not later than') },
  };
  expect(await extend.preview(why, key, tomorrow)).toMatchObject(isRefused);
  expect(await extend.do(why, key, tomorrow)).toMatchObject(isRefused);
  expect(await extend.do(commandContext(), key, { ...dropOff, extendBy: 'P1D' })).toMatchObject({
    error: { fields: { why: 'is missing' } },
  });
  const extended = orThrow(await extend.do(why, key, { ...dropOff, extendBy: 'P1D' }));
  expect(Date.parse(extended.until ?? '') - Date.parse(extended.from ?? '')).toBe(86_400_000);
  expect(await shorten.do(why, key, { ...dropOff, until: extended.until as string })).toMatchObject({
    error: { message: expect.stringContaining('not earlier than') },
  });
  const shortened = orThrow(await shorten.do(why, key, { next: true, shortenBy: 'P3D' }));
  const { from, until } = shortened;
  expect(from).toBe(extended.until);
  const taken = await undoExtension.do(commandContext(), key, { ...dropOff, from, until: until as string });
  expect(orThrow(taken)).toMatchObject({ from: until, until: from });
  expect(
    await undoExtension.do(commandContext(), key, { ...dropOff, from, until: until as string }),
  ).toMatchObject({
    error: { kind: 'refused', message: expect.stringContaining('moved again meanwhile') },
  });
});

test('an extension that is undone without its former end gives the end that the flow itself gave', async () => {
  const { workflowId: key } = await at.issue({ deadlines: { issue: { dropOff: 'P14D' } } });
  const dropOff = { role: 'issue', stage: 'dropOff' } as const;
  const { from, until } = orThrow(
    await extend.do(commandContext('she is ill'), key, { ...dropOff, extendBy: 'P1D' }),
  );
  const undo = orThrow(undoExtension.read({ ...dropOff, until }));
  expect(orThrow(await undoExtension.do(commandContext(), key, undo))).toMatchObject({
    from: until,
    until: from,
  });
  const pickUp = { role: 'issue', stage: 'pickUp' } as const;
  const given = orThrow(await extend.do(commandContext('she is ill'), key, { ...pickUp, fromNow: 'P1D' }));
  const taken = orThrow(undoExtension.read({ ...pickUp, until: given.until }));
  expect(orThrow(await undoExtension.do(commandContext(), key, taken))).toMatchObject({ until: null });
});

test('whoever adopts what the service has under another case number is told so before', async () => {
  const { workflowId: key } = await at.issue();
  const risksOf = async (referenceCaseNo: string | null) => {
    const call = async () => ({ items: [{ shipmentUid: 'shipment-1', referenceCaseNo }] });
    const service = { call } as unknown as NonNullable<CommandContext['service']>;
    return await adopt.risksOf?.({ ...commandContext(), service }, key, {
      shipments: { issue: 'shipment-1' },
    });
  };
  const { caseNo } = (await at.flows.handle<'Issue'>(key).progress()).bookings[0] ?? {};
  expect(await risksOf('shop-902')).toEqual([
    `shipment-1 has the case number shop-902, and not ${caseNo ?? key}`,
  ]);
  expect(await risksOf(caseNo ?? key)).toEqual([]);
  expect(await risksOf(null)).toEqual([]);
});

test('who may not do it, and who gives no reason where one is kept, is refused', async () => {
  const { workflowId: key } = await at.issue();
  const may: CommandContext['may'] = (right, flow) => !(right === 'decide' && flow === 'Issue');
  expect(await cancel.do({ ...commandContext('late'), may }, key, {})).toMatchObject({
    error: { kind: 'forbidden', code: 'NotAllowed' },
  });
  expect(await cancel.preview({ ...commandContext(), may }, key, {})).toMatchObject({
    error: { kind: 'forbidden' },
  });
  expect(await giveUp.do(commandContext(), key, {})).toMatchObject({
    error: { kind: 'wrongInput', fields: { why: 'is missing' } },
  });
});

test('an extension that the flow does not have is refused before it is done, as when it is', async () => {
  const { workflowId: key } = await at.issue();
  const { role, stage } = { role: 'stock', stage: 'dropOff' } as const;
  const refused = { done: false, error: { kind: 'refused', code: expect.any(String) } };
  const input = { role, stage, fromNow: 'P1D' };
  const [before, done] = [
    await extend.preview(commandContext(), key, input),
    await extend.do(commandContext('ill'), key, input),
  ];
  expect([before, done]).toMatchObject([refused, refused]);
  expect(await extend.preview(commandContext(), key, { ...input, role: 'issue' })).toMatchObject({
    done: true,
    value: { deadlines: [{ role: 'issue', stage: 'dropOff', from: null, until: expect.any(String) }] },
  });
});

test('a cancellation keeps who asked for it and why, for one and for many', async () => {
  const keys = await Promise.all([1, 2, 3].map(async () => (await at.issue()).workflowId));
  const [alone = '', ...many] = keys;
  const preview = (key: string) => cancel.preview(commandContext(), key, {});
  for await (const { outcome } of forMany(many, preview)) expect(outcome.done).toBe(true);
  orThrow(await cancel.do(commandContext('the user has moved'), alone, {}));
  const outcomes = [];
  const act = (key: string) => cancel.do(commandContext('the user has moved'), key, {});
  for await (const { key, outcome } of forMany(many, act)) outcomes.push([key, outcome.done]);
  expect(outcomes.sort()).toEqual(many.map((key) => [key, true]).sort());
  for (const key of keys) {
    const { events } = await at.client.workflow.getHandle(key).fetchHistory();
    const [asked] = (events ?? []).flatMap(
      (event) => event.workflowExecutionCancelRequestedEventAttributes ?? [],
    );
    expect(JSON.parse(asked?.cause ?? '')).toEqual({ by: 'anna', why: 'the user has moved' });
  }
});

// The cancellation of one would lose acknowledged callbacks, or a file that processes run by.
const CANCELLING = 'WORKFLOW_EXECUTION_CANCEL_REQUESTED';

/** What is done to a process that has ended, too. */
const ofEnded = [
  [startAgain as Command<object, unknown, unknown>, { evenIfBooked: true }],
  [note as Command<object, unknown, unknown>, { text: 'Charger is missing' }],
  [message as Command<object, unknown, unknown>, { text: 'Please bring it back' }],
] as const;

test('every other command refuses a process that has ended, each a key that there is not, and what lockerflow keeps for itself', async () => {
  const { workflowId } = await at.issue();
  await at.client.workflow.getHandle(workflowId).terminate();
  const report = reportOf(newKey('shipment'), 'ReadyForPickup', null);
  const unmatched = await keepReport(at.client, { taskQueue: at.taskQueue, keepFor: 'P1D' }, report);
  const name = uniqueName('Waiting');
  const text = `{ name: ${name}, meaning: It waits., initial: over, states: { over: { type: final } } }`;
  await at.flows.publish([{ path: 'waiting.flow.yaml', text }]);
  const internal = [unmatched, definitionWorkflowId(name)];
  for (const [command, input] of ofEnded)
    for (const key of [...internal, newKey()])
      for (const outcome of [
        await command.preview(commandContext(), key, input),
        await command.do(commandContext('a reason'), key, input),
      ])
        expect(outcome).toMatchObject({ done: false, error: { kind: 'notFound', code: 'FlowNotFound' } });
  expect(await message.do({ ...commandContext(), isInBatch: true }, workflowId, {})).toMatchObject({
    error: { kind: 'refused', code: 'FlowEnded' },
  });
  for (const [name, command] of Object.entries(commands)) {
    if (ofEnded.some(([each]) => each.name === name)) continue;
    const { why: _, ...fields } = 'example' in command ? command.example : {};
    const input = orThrow(command.read(fields));
    for (const [key, kind, code] of [
      [workflowId, 'refused', 'FlowEnded'],
      [newKey(), 'notFound', 'FlowNotFound'],
      ...internal.map((key) => [key, 'refused', 'NoProcess'] as const),
    ] as const)
      for (const outcome of [
        await command.preview(commandContext(), key, input),
        await command.do(commandContext('a reason'), key, input),
      ])
        expect({ name, ...outcome }).toMatchObject({ name, done: false, error: { kind, code } });
  }
  for (const key of internal)
    expect(await eventsOf(at.client.workflow.getHandle(key))).not.toContain(CANCELLING);
});

test('what is missing or wrong is said at its field', () => {
  expect(extend.read({ role: 'lodger', stage: 'dropOff' })).toMatchObject({
    error: {
      kind: 'wrongInput',
      fields: { role: expect.stringContaining('must be one of') },
    },
  });
});
