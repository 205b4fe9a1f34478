// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What a process of a flow file does on a real Temporal: its definition, questions, events, operations, child flows, and
// steps that cannot be taken.

import { randomUUID } from 'node:crypto';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test, vi } from 'vitest';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { internalIds } from '../../../contract/flows/internal-ids.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { issue } from '../../../flows/built-in/flows.ts';
import type { JsonObject } from '../../../flows/language/flow-file.ts';
import type { FlowFileProgress } from '../../../flows/language/machine/progress.ts';
import { yamlText } from '../../../flows/language/reading/yaml-text.ts';
import { fileOf } from '../../../flows/shipped/files.ts';
import { flowQuery } from '../../../processes/views/flow-query.ts';
import { newTaskQueue } from '../../support/temporal.ts';
import { Outside } from '../outside.ts';
import { refusalOf, runningFiles, uniqueName, untilProgress } from './running-files.ts';

const files = runningFiles();

/** The innermost failure of a process that has failed. */
async function failureOf(handle: WorkflowHandle): Promise<ApplicationFailure> {
  const error = await handle.result().then(
    () => undefined,
    (failed: unknown) => failed,
  );
  if (error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure) return error.cause;
  throw new TypeError(`expected a process that has failed, not ${String(error)}`);
}

const checked = (name: string) => `
name: ${name}
meaning: The desk checks a device.
input: { type: object, required: [item], properties: { item: { type: string } } }
context: { checks: 0 }
initial: checking
states:
  checking:
    invoke:
      id: check
      src: ask
      input: { of: desk, question: "Is \${input.item} whole?", fields: { state: { choice: [whole, broken] } }, within: P2D }
      onDone: { target: over, actions: { type: assign, params: { checks: "\${context.checks + 1}", state: "\${event.output.state}" } } }
      onError: late
  late: { type: final }
  over: { type: final }
output: { state: "\${context.state}", checks: "\${context.checks}", version: "\${flow.version}" }
`;

test('a process stays on the version that it began with, and replays without the registry', async () => {
  const name = uniqueName('DeskCheck');
  expect(await files.publish(checked(name))).toEqual({ name, version: 1, isNew: true });
  const first = await files.start(name, { request: { item: 'laptop-7' } });
  await untilProgress(first, ({ questions }) => questions.length > 0);
  expect(await files.publish(checked(name))).toEqual({ name, version: 1, isNew: false });
  expect(await files.publish(checked(name).replace('whole?', 'complete?'))).toMatchObject({
    version: 2,
    isNew: true,
  });
  const second = await files.start(name, { request: { item: 'laptop-8' } });
  const { questions } = await untilProgress(second, (progress) => progress.questions.length > 0);
  expect(questions).toMatchObject([{ question: 'Is laptop-8 complete?' }]);
  for (const handle of [first, second])
    await handle.executeUpdate('answer', { args: [{ values: { state: 'whole' }, by: 'anna' }] });
  expect(await first.result()).toMatchObject({ version: 1 });
  expect(await second.result()).toMatchObject({ version: 2 });
  await files.replays(first.workflowId);
});

describe('lists find a process that has not come to its first step', () => {
  const count = async (query: string) => (await files.client.workflow.count(query)).count;
  const listed = async (taskQueue: string, { workflowId }: { readonly workflowId: string }) =>
    await count(`${flowQuery({}, taskQueue)} AND WorkflowId = '${workflowId}'`);
  const isListed = (taskQueue: string, process: { readonly workflowId: string }) =>
    vi.waitUntil(async () => (await listed(taskQueue, process)) === 1, { timeout: 60_000 });

  test('one that another SDK has started with a request that its file refuses', async () => {
    const name = uniqueName('DeskCheck');
    await files.publish(checked(name));
    const process = await files.start(name, { request: {} });
    expect(await failureOf(process)).toMatchObject({ type: 'InvalidRequest' });
    await isListed(files.taskQueue, process);
  });

  test('one that is terminated before a worker has taken it up', async () => {
    const name = uniqueName('DeskCheck');
    await files.publish(checked(name));
    const taskQueue = newTaskQueue();
    const flows = new LockerFlows(files.client, { taskQueue });
    const { workflowId } = await flows.startPublished(name, `${name}-1`, { request: { item: 'laptop-7' } });
    await files.client.workflow.getHandle(workflowId).terminate();
    await isListed(taskQueue, { workflowId });
  });

  test('one that another SDK has started, and that is terminated before a worker has taken it up', async () => {
    const name = uniqueName('DeskCheck');
    await files.publish(checked(name));
    const taskQueue = newTaskQueue();
    const process = await files.client.workflow.start(name, { taskQueue, workflowId: name, args: [{}] });
    await process.terminate();
    await isListed(taskQueue, process);
    // On another task queue it may be anybody's.
    expect(await listed(files.taskQueue, process)).toBe(0);
  });

  test('and none of what lockerflow runs for itself', async () => {
    const name = uniqueName('DeskCheck');
    await files.publish(checked(name));
    const definition = { workflowId: `${internalIds.definition}${name}` };
    await vi.waitUntil(async () => (await count(`WorkflowId = '${definition.workflowId}'`)) === 1, {
      timeout: 60_000,
    });
    expect(await listed(files.taskQueue, definition)).toBe(0);
  });
});

test('an unknown name fails at once and names the near one', async () => {
  const name = uniqueName('DeskCheck');
  await files.publish(checked(name));
  const failure = await failureOf(await files.start(`${name}s`, { request: {} }));
  expect(failure).toMatchObject({
    type: 'FlowUnknown',
    message: expect.stringContaining(`did you mean ${name}?`),
  });
});

test('what a process is started with is checked before anything runs', async () => {
  const name = uniqueName('DeskCheck');
  await files.publish(checked(name));
  const failure = await failureOf(await files.start(name, { request: { item: 7 }, deadlines: {} }));
  expect(failure.type).toBe('InvalidRequest');
  expect(failure.message).toContain('request.item must be string');
  expect(failure.message).toContain('deadlines is not known; expected request');
});

test('a copy of a built-in flow takes the start of that flow, and ends and answers as it does', async () => {
  const name = uniqueName('Issue');
  await files.publish(yamlText({ ...fileOf(issue), name }));
  const { taskQueue, client } = files;
  const { workflowId } = await new LockerFlows(client, { taskQueue }).startPublished(name, `${name}-1`, {
    request: examples.CreateLocalShipmentAsIssue.request as JsonObject,
    deadlines: { issue: { pickUp: 'PT1S' } },
  });
  const handle = client.workflow.getHandle(workflowId);
  const outside = new Outside();
  files.attend(handle.workflowId, outside);
  await untilProgress(handle, ({ activity }) => activity === 'Following');
  await outside.does(outside.uid('issue'), 'ItemDroppedOff');
  const overdue = [{ role: 'issue', stage: 'pickUp', deadline: expect.any(String) }];
  const { bookings } = await untilProgress(handle, ({ phase }) => phase === 'Overdue');
  expect(bookings).toMatchObject([{ shipments: { issue: { stateCode: 'ReadyForPickup' } } }]);
  await outside.does(outside.uid('issue'), 'ItemPickedUp');
  expect(await handle.result()).toMatchObject({ outcome: 'Done', overdue });
  await files.replays(handle.workflowId);
  const failure = await failureOf(await files.start(name, { request: {}, deadlins: {} }));
  expect(failure).toMatchObject({
    type: 'InvalidRequest',
    message: expect.stringContaining(
      'deadlins is not a field here; expected request, deadlines, onOverdue, waitForLocker, tell, clock',
    ),
  });
});

test.each([
  ['its context', 'context: { first: "${input.none}" }', ''],
  [
    'what follows a failure at once',
    'context: { sum: 0 }',
    'invoke: { src: each, input: { of: "${[1]}", do: { src: ask, input: { of: desk, question: "${1 / 0}" } } }, onError: { actions: { type: assign, params: { sum: "${context.none}" } } } }',
  ],
])('a process that cannot take its first step fails with the reason: %s', async (_, context, first) => {
  const name = uniqueName('NotBegun');
  await files.publish(`
name: ${name}
meaning: Asks for what it has not been given.
${context}
initial: beginning
states:
  beginning: { description: Begins., ${first} }
  over: { type: final }
`);
  const failure = await failureOf(await files.start(name, { request: {} }));
  expect(failure).toMatchObject({ type: 'ExpressionFailed', message: expect.stringContaining('none') });
});

const counting = (name: string) => `
name: ${name}
meaning: Counts what happens outside.
context: { sum: 0 }
initial: counting
states:
  counting:
    on:
      add: { actions: { type: assign, params: { sum: "\${context.sum + event.data.amount}" } } }
      done: over
  over: { type: final }
output: "\${context.sum}"
`;

test('a process that waits for its definition says so', { tags: 'long' }, async () => {
  const name = uniqueName('Counter');
  await files.publish(counting(name));
  const gate = Promise.withResolvers<void>();
  files.definitionsAreAt = gate.promise;
  const handle = await files.start(name, { request: {} });
  const { waitingFor, state } = await untilProgress(handle, () => true);
  expect({ waitingFor, state }).toMatchObject({ waitingFor: [{ kind: 'definition' }], state: null });
  gate.resolve();
  files.definitionsAreAt = Promise.resolve();
  await untilProgress(handle, (progress) => progress.state === 'counting');
  await handle.signal('event', { type: 'done' });
  expect(await handle.result()).toBe(0);
});

test('a step that cannot be taken leaves the process where it stands, until a person drops its event', async () => {
  const name = uniqueName('Counter');
  await files.publish(counting(name));
  const handle = await files.start(name, { request: {} });
  await handle.signal('event', { type: 'add', id: 'a', data: { amount: 1 } });
  await handle.signal('event', { type: 'add', id: 'b', data: {} });
  await handle.signal('event', { type: 'add', id: 'c', data: { amount: 5 } });
  const stuck = await untilProgress(handle, ({ phase }) => phase === 'NeedsPerson');
  expect(stuck.halted).toMatchObject({
    code: 'ExpressionFailed',
    event: 'add',
    details: {
      path: 'states.counting.on.add.actions.params.sum',
      expression: expect.stringContaining('event.data.amount'),
      reason: 'No such key: amount',
    },
  });
  // The repair comes first.
  expect(stuck.waitingFor[0]?.words).toMatch(
    /correct the file, .* \(migrate\): repair .*; or continue without the event \(dropEvent\); or end .* \(giveUp\)/,
  );
  expect((await handle.describe()).searchAttributes).toMatchObject({ LockerPhase: ['NeedsPerson'] });
  await handle.executeUpdate('dropEvent');
  await untilProgress(handle, ({ phase }) => phase === 'Open');
  expect(await refusalOf(handle.executeUpdate('dropEvent'))).toContain('is not halted');
  await handle.signal('event', { type: 'done' });
  // The events after the dropped event are not lost.
  expect(await handle.result()).toBe(6);
});

const calling = (name: string) => `
name: ${name}
meaning: Asks the locker API twice.
initial: first
states:
  first:
    invoke: { src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: second }
  second:
    invoke:
      src: CancelShipment
      input: { shipmentUid: "\${input.shipmentUid}" }
      onDone: over
      onError: { target: over, actions: { type: assign, params: { code: "\${event.error.code}" } } }
  over: { type: final }
context: { code: "" }
output: "\${context.code}"
`;

test('an operation is called with a key of its own, and its refusal is heard by its code', async () => {
  const name = uniqueName('Caller');
  await files.publish(calling(name));
  files.answer = ({ operation }) => {
    if (operation === 'CancelShipment')
      throw ApplicationFailure.nonRetryable('no such shipment', 'InvalidShipment');
    return { items: [] };
  };
  const handle = await files.start(name, { request: { shipmentUid: 'shipment-1' } });
  expect(await handle.result()).toBe('InvalidShipment');
  const own = files.calls.filter(({ idempotencyKey }) => idempotencyKey.startsWith(handle.workflowId));
  expect(own.map(({ operation, request }) => ({ operation, request }))).toEqual([
    { operation: 'GetPickUpPoints', request: { pageNo: 1, pageSize: 10 } },
    { operation: 'CancelShipment', request: { shipmentUid: 'shipment-1' } },
  ]);
  expect(new Set(own.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
});

const lending = (name: string, on: string) => `
name: ${name}
meaning: Lends a device.
context: { heard: [] }
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: Issue
      input: { request: { toUserUid: "\${input.user}", pupUid: pup-central, allowLargerLockers: true, allowOverflowLockers: false, dimension: { height: 1, width: 1, length: 1 } }, deadlines: { issue: { pickUp: PT1S } } }
      onDone: { target: over, actions: { type: assign, params: { outcome: "\${event.output.outcome}" } } }
    ${on}
  over: { type: final }
output: { outcome: "\${context.outcome}", heard: "\${context.heard}" }
`;
const hears = (...types: string[]) =>
  `on: { ${types
    .map(
      (type) =>
        `${type}: { actions: { type: assign, params: { heard: "\${context.heard + [event.type]}" } } }`,
    )
    .join(', ')} }`;

async function lend(on: string) {
  const name = uniqueName('Loan');
  await files.publish(lending(name, on));
  const outside = new Outside();
  const started = await files.start(name, { request: { user: 'user-anna' } });
  files.attend(`${started.workflowId}/loan`, outside);
  const child = files.client.workflow.getHandle(`${started.workflowId}/loan`);
  return { handle: started, child, outside };
}

/** Waits until the issue is booked. Gives its uid. */
const untilBooked = (outside: Outside): Promise<string> =>
  vi.waitUntil(() => outside.roles.get('issue') ?? false, { timeout: 60_000, interval: 30 });

const untilHeard = (handle: WorkflowHandle, event: string) =>
  untilProgress(handle, ({ context }) => heardIn(context).includes(event), { context: true });

/** A process that has not taken its first step has no context. */
const heardIn = (context: unknown) => (context as { heard: string[] } | undefined)?.heard ?? [];

test('nobody but the flow itself sends its events', async () => {
  const { handle, outside } = await lend(hears('loan.issue.ReadyForPickup', 'loan.*', "'*'"));
  const uid = await untilBooked(outside);
  const forged = { type: 'loan.issue.ReadyForPickup', stateCode: 'ReadyForPickup' };
  await handle.signal('event', forged);
  // With `loan.*` the machine would take it.
  await handle.signal('event', { type: 'loan' });
  await handle.signal('childEvent', forged);
  const event = { ...forged, type: 'issue.ReadyForPickup' };
  await handle.signal('childEvent', { token: randomUUID(), event, version: 1 });
  await handle.signal('event', { type: 'order.paid' });
  await untilHeard(handle, 'order.paid');
  expect(await handle.query<FlowFileProgress>('progress')).toMatchObject({
    events: ['*'],
    childEvents: ['loan.issue.ReadyForPickup', 'loan.*'],
    dropped: 4,
  });
  await outside.does(uid, 'ItemDroppedOff');
  await untilHeard(handle, 'loan.issue.ReadyForPickup');
  await outside.does(uid, 'ItemPickedUp');
  const { heard, outcome } = (await handle.result()) as { heard: string[]; outcome: string };
  expect(outcome).toBe('Done');
  expect(heard).not.toContain('loan');
  expect(heard.filter((type) => type === 'loan.issue.ReadyForPickup')).toHaveLength(1);
  expect(heard.indexOf('order.paid')).toBeLessThan(heard.indexOf('loan.issue.ReadyForPickup'));
  expect(heard).toContain('loan.issue.Completed');
});

test('a cancelled process cancels the flow that it has started, and waits until that is undone', async () => {
  const { handle, child, outside } = await lend('');
  await untilBooked(outside);
  await untilProgress(child, ({ activity }) => (activity as string) === 'Following');
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  expect((await child.describe()).status.name).toBe('CANCELLED');
  expect((await handle.describe()).status.name).toBe('CANCELLED');
  expect(outside.calls).toContain('undo');
});
