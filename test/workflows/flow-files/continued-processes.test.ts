// docs/flow-files.md: Steps that are undone
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// A process of a flow file with a long history continues as a new run. It keeps the definition that it began with, its state and
// context, the events that it has taken, what it has invoked and can undo, its questions and who holds them, and its migrations.

import { ApplicationFailure } from '@temporalio/activity';
import type { WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';

import { expect, test, vi } from 'vitest';
import type { Migrated } from '../../../engine/definition/migration-request.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { eventsOf } from '../../support/history.ts';
import { runningFilesOfShortRuns, timesOf, uniqueName, untilProgress } from './running-files.ts';

const files = runningFilesOfShortRuns();
/** Some of them are more events than a run may have. */
const ROUNDS = 5;

const rounds = (name: string) => `
name: ${name}
meaning: Looks at the wall at every round.
context: { rounds: 0 }
initial: resting
states:
  resting:
    on:
      round: { target: looking, actions: { type: assign, params: { rounds: "\${context.rounds + 1}" } } }
      enough: over
  looking:
    invoke: { id: look, src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: resting }
  over: { type: final }
output: "\${context.rounds}"
`;

/** While it looks at the wall, it does not take the event. */
async function endRounds(handle: WorkflowHandle): Promise<void> {
  await untilProgress(handle, ({ state }) => state === 'resting');
  await handle.signal('event', { type: 'enough' });
}

test('a long process keeps its definition, its context, and what it has taken and invoked', async () => {
  const name = uniqueName('Rounds');
  await files.publish(rounds(name));
  const handle = await files.start(name, { request: {} });
  const { runId } = await handle.describe();
  await untilProgress(handle, ({ version }) => version === 1);
  // The process does not read the newer version: it holds the one that it began with.
  await files.publish(rounds(name).replace(/output: .*/, 'output: newer'));
  const current = files.client.workflow.getHandle(handle.workflowId);
  const round = async (number: number) => {
    await current.signal('event', { type: 'round', id: `round-${number}` });
    await untilProgress(current, (progress) => progress.state === 'resting');
    const own = () => files.calls.filter(({ idempotencyKey }) => idempotencyKey.includes(handle.workflowId));
    await expect.poll(() => own().length, { timeout: 30_000 }).toBe(number);
  };
  for (let number = 1; number <= ROUNDS; number += 1) await round(number);
  expect((await current.describe()).runId).not.toBe(runId);
  // Each event counts once, also if an earlier run took it first.
  await current.signal('event', { type: 'round', id: 'round-1' });
  await endRounds(current);
  expect(await current.result()).toBe(ROUNDS);
  const keys = files.calls.map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size).toBe(ROUNDS);
  expect((await current.describe()).searchAttributes.LockerFlowVersion).toEqual([`${name}@1`]);
}, 180_000);

const asking = (name: string, child: string) => `
name: ${name}
meaning: Counts rounds, as long as its question and its flow are open.
context: { rounds: 0, said: [] }
type: parallel
on:
  round: { actions: { type: assign, params: { rounds: "\${context.rounds + 1}" } } }
  inner.event: { actions: { type: assign, params: { rounds: -1 } } }
states:
  question:
    initial: asked
    states:
      asked:
        invoke:
          id: colour
          src: ask
          input: { of: desk, question: Which colour?, fields: { colour: { type: text } }, within: P2D }
          onDone: { target: answered, actions: { type: assign, params: { said: "\${context.said + [event.output.colour]}" } } }
      answered: { type: final }
  flow:
    initial: running
    states:
      running:
        invoke:
          id: inner
          src: ${child}
          onDone: { target: ended, actions: { type: assign, params: { said: "\${context.said + [event.output]}" } } }
      ended: { type: final }
output: "\${context}"
`;

const waiting = (name: string) => `
name: ${name}
meaning: Waits for its end.
initial: waiting
states:
  waiting: { on: { enough: over } }
  over: { type: final }
output: over
`;

test('a note is kept from run to run, and after the end', async () => {
  const name = uniqueName('Rounds');
  await files.publish(rounds(name));
  const { workflowId } = await files.start(name, { request: {} });
  const handle = files.client.workflow.getHandle(workflowId);
  const { runId } = await untilProgress(handle, ({ version }) => version === 1).then(() => handle.describe());
  const text = 'Charger is missing, ask her when she comes.';
  await handle.executeUpdate('note', { args: [{ text: 'the first', by: 'ben' }] });
  await handle.executeUpdate('note', { args: [{ text, by: 'anna' }] });
  await expect(handle.executeUpdate('note', { args: [{ text, by: '' }] })).rejects.toThrow();
  const { note } = await untilProgress(handle, () => true);
  expect(note).toMatchObject({ text, by: 'anna' });
  const first = files.client.workflow.getHandle(workflowId, runId);
  while ((await handle.describe()).runId === runId) await handle.signal('event', { type: 'round' });
  expect((await untilProgress(handle, () => true)).note).toEqual(note);
  const updates = (await eventsOf(first)).filter((type) => type.includes('UPDATE'));
  expect(updates.filter((type) => type.endsWith('ACCEPTED'))).toHaveLength(2);
  await endRounds(handle);
  await handle.result();
  expect((await untilProgress(handle, () => true)).note).toEqual(note);
  await files.replays(workflowId);
}, 180_000);

test('a process continues with a question and a flow open: both go on, are answered, and count once', {
  tags: 'long',
  timeout: 180_000,
}, async () => {
  const [name, child] = [uniqueName('Asking'), uniqueName('Waiting')];
  await files.publish(waiting(child));
  await files.publish(asking(name, child));
  const { workflowId } = await files.start(name, { request: {} });
  const handle = files.client.workflow.getHandle(workflowId);
  const inner = files.client.workflow.getHandle(`${workflowId}/inner`);
  await untilProgress(inner, ({ version }) => version === 1);
  const { questions: first } = await untilProgress(handle, ({ questions }) => questions.length === 1);
  const runs = new Set([(await handle.describe()).runId]);
  let rounds = 0;
  while (runs.size < 4) {
    await handle.signal('event', { type: 'round' });
    rounds += 1;
    runs.add((await handle.describe()).runId);
    if (rounds % 10 === 0) await files.restartWorker();
  }
  const { questions, waitingFor } = await untilProgress(handle, () => true);
  expect(questions).toEqual(first);
  expect(waitingFor.map(({ words }) => words)).toContain(child);
  const inboxes = (await handle.describe()).searchAttributes.LockerInbox;
  expect(inboxes).toEqual(['desk']);
  // The answer is waiting when the next run begins, and so is the end of the flow.
  await files.restartWorker(async () => {
    await inner.signal('event', { type: 'enough' });
  });
  await handle.executeUpdate('answer', { args: [{ values: { colour: 'red' }, by: 'anna' }] });
  const { rounds: counted, said } = await handle.result();
  expect(counted).toBe(rounds);
  expect(said.toSorted()).toEqual(['over', 'red']);
  await files.replays(workflowId);
});

test('a process that is cancelled in a later run cancels its flow and drops its question', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const [name, child] = [uniqueName('Asking'), uniqueName('Waiting')];
  await files.publish(waiting(child));
  await files.publish(asking(name, child));
  const { workflowId } = await files.start(name, { request: {} });
  const handle = files.client.workflow.getHandle(workflowId);
  await untilProgress(handle, ({ questions }) => questions.length === 1);
  const { runId } = await handle.describe();
  while ((await handle.describe()).runId === runId) await handle.signal('event', { type: 'round' });
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow('cancelled');
  await expect(files.client.workflow.getHandle(`${workflowId}/inner`).result()).rejects.toThrow('cancelled');
});

async function approval(more: string, on: string) {
  const name = uniqueName('Approval');
  await files.publish(`
name: ${name}
meaning: Somebody approves who has not asked for it.
context: { heard: [], ticks: 0 }
initial: asking
states:
  asking:
    invoke:
      id: check
      src: ask
      input:
        of: ${name}-desk
        question: May it be bought?
        fields: { ok: { type: yesNo } }
        not: rita
        ${more}
      onDone: over
    on:
      tick: { actions: { type: assign, params: { ticks: "\${context.ticks + 1}" } } }
      ${on}
  over: { type: final }
output: { heard: "\${context.heard}", ticks: "\${context.ticks}" }
`);
  const { workflowId } = await files.start(name, {});
  const handle = files.client.workflow.getHandle(workflowId);
  await untilProgress(handle, ({ questions }) => questions.length === 1);
  const update = async (action: string, given: object): Promise<string> =>
    await handle.executeUpdate(action, { args: [given] }).then(
      () => 'taken',
      ({ cause }: WorkflowUpdateFailedError) => (cause as ApplicationFailure).type ?? String(cause),
    );
  return { name, workflowId, handle, update };
}

const adds = (value: string) =>
  `{ actions: { type: assign, params: { heard: "\${context.heard + [${value}]}" } } }`;

test('its holder is the same in the next run and on the next worker, and a reminder comes once', async () => {
  const { workflowId, handle, update } = await approval(
    'remind: [PT0.1S, PT9H]',
    `check.reminder: ${adds('event.number')}\n      check.claimed: ${adds('event.by')}`,
  );
  await untilProgress(handle, ({ waitingFor }) => waitingFor.length > 0);
  expect(await update('claim', { by: 'anna' })).toBe('taken');
  expect(await update('claim', { by: 'ben' })).toBe('HeldByAnother');
  expect(await update('release', { by: 'ben' })).toBe('HeldByAnother');
  for (let tick = 0; tick < 12; tick++) await handle.signal('event', { type: 'tick', id: `tick ${tick}` });
  await untilProgress(
    handle,
    ({ context }) => (context as { heard: readonly unknown[] }).heard.length === 2,
    { context: true },
  );
  await files.restartWorker();
  const answer = { values: { ok: true } };
  expect(await update('answer', { ...answer, by: 'ben' })).toBe('HeldByAnother');
  expect(await update('answer', { ...answer, by: 'anna' })).toBe('taken');
  const { heard, ticks } = await handle.result();
  expect([ticks, [...heard].sort()]).toEqual([12, [1, 'anna']]);
  expect((await files.replays(workflowId)).length).toBeGreaterThan(1);
}, 120_000);

test('a question that is assigned to another inbox is found there alone, also where the file does not listen', async () => {
  const { name, workflowId, handle, update } = await approval('due: PT1H', '');
  const found = async (inbox: string) =>
    (await files.client.workflow.count(`WorkflowId = "${workflowId}" AND LockerInbox = "${inbox}"`)).count;
  expect(await update('assign', { by: 'anna', to: 'rita' })).toBe('FourEyes');
  expect(await update('assign', { by: 'anna', of: `${name}-shop`, why: 'it is theirs' })).toBe('taken');
  await vi.waitUntil(async () => (await found(`${name}-shop`)) === 1, { timeout: 30_000 });
  expect(await found(`${name}-desk`)).toBe(0);
  expect(await update('answer', { by: 'rita', values: { ok: true } })).toBe('FourEyes');
  expect(await update('answer', { by: 'ben', values: { ok: true } })).toBe('taken');
  await handle.result();
  await files.replays(workflowId);
}, 120_000);

test('a claim that leads to the end of the process is answered before it', async () => {
  const { handle, update } = await approval('', 'check.claimed: over');
  expect(await update('claim', { by: 'anna' })).toBe('taken');
  await handle.result();
}, 60_000);

const STEPS = 6;

const booking = (name: string) => `
name: ${name}
meaning: Opens some lockers, and cancels their shipments.
context: { booked: 0 }
initial: booking
states:
  booking:
    on: { cancelRequested: undoing }
    invoke:
      id: book
      src: UnlockShipmentLocker
      input: { shipmentUid: "s-\${context.booked + 1}" }
      undo: { src: CancelShipment, input: { shipmentUid: "s-\${context.booked + 1}" } }
      onDone:
        - { guard: "\${context.booked == ${STEPS - 1}}", target: waiting }
        - { target: booking, reenter: true, actions: { type: assign, params: { booked: "\${context.booked + 1}" } } }
      onError: over
  waiting:
    on: { cancelRequested: undoing }
  undoing: { invoke: { id: undo, src: undo, input: { of: desk }, onDone: over } }
  over: { type: final }
`;

test('steps are undone in reverse, once each, over runs and workers; a person decides about what is refused', async () => {
  const name = uniqueName('Booking');
  await files.publish(booking(name));
  let refusals = 1;
  files.answer = ({ operation, request }) => {
    if (operation !== 'CancelShipment' || request.shipmentUid !== 's-4' || refusals-- <= 0) return {};
    throw ApplicationFailure.nonRetryable('it is being collected', 'InvalidShipmentState');
  };
  const handle = await files.start(name, { request: {} });
  await untilProgress(handle, ({ state }) => state === 'waiting');
  const { runId, raw } = await handle.describe();
  expect(raw.workflowExecutionInfo?.firstRunId).not.toBe(runId);
  await handle.cancel();
  const { questions, undoable } = await untilProgress(handle, ({ questions: open }) => open.length > 0);
  expect(questions).toMatchObject([{ id: 'undo.book.failed', of: 'desk' }]);
  expect(undoable).toHaveLength(4);
  await files.restartWorker();
  await handle.executeUpdate('answer', { args: [{ values: { action: 'again' }, by: 'anna' }] });
  await expect(handle.result()).rejects.toThrow();
  expect((await handle.describe()).status.name).toBe('CANCELLED');
  const undone = files.calls.filter(({ operation }) => operation === 'CancelShipment');
  expect(undone.map(({ request }) => request.shipmentUid)).toEqual([
    's-6',
    's-5',
    's-4',
    's-4',
    's-3',
    's-2',
    's-1',
  ]);
  // Each has a key of its own; what is tried again has the same.
  expect(new Set(undone.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(STEPS);
  await files.replays(handle.workflowId);
}, 120_000);

const counting = (name: string, states: object, initial: string): FlowFile =>
  ({
    name,
    meaning: 'Counts.',
    context: { sum: 0 },
    initial,
    states: { ...states, over: { type: 'final' } },
    output: '${context.sum}',
  }) as unknown as FlowFile;

const add = { actions: { type: 'assign', params: { sum: '${context.sum + 1}' } } };
const questionTo = (of: string) => ({ src: 'ask', input: { of, question: 'Is it whole?' }, onDone: 'over' });

test('a migration is kept by the runs that follow it', async () => {
  const name = uniqueName('Counting');
  const first = counting(
    name,
    {
      here: {
        on: { add, end: 'over' },
        after: { P1D: 'over' },
        invoke: { id: 'whole', ...questionTo('desk') },
      },
    },
    'here',
  );
  const next = counting(
    name,
    {
      there: {
        was: 'here',
        on: { plus: { ...add, was: 'add' }, stop: { target: 'over', was: 'end' } },
        after: { P2D: 'over' },
        invoke: { id: 'check', was: 'whole', ...questionTo('store') },
      },
    },
    'there',
  );
  await files.publish(JSON.stringify(first));
  const handle = await files.start(name, {});
  await untilProgress(handle, ({ questions }) => questions.length === 1);
  const { runId } = await handle.describe();
  // The suggestion to continue comes with the first task after 20 events: that of the migration, or of the event after it.
  let id = 0;
  const told = async () => handle.signal('event', { type: 'add', id: String(++id) });
  while ((await handle.describe()).historyLength < 14) await told();
  const request = { semantics: 1, to: { file: next, version: 2 }, by: 'anna', why: 'a test' };
  const migrate = () =>
    handle.executeUpdate<Migrated, [object]>('migrate', { args: [request], updateId: 'batch/1' });
  const migrated = await migrate();
  await told();
  await vi.waitUntil(async () => (await handle.describe()).runId !== runId, {
    timeout: 60_000,
    interval: 30,
  });
  expect(await migrate()).toEqual(migrated);
  const progress = await untilProgress(handle, ({ state }) => state === 'there');
  expect(progress).toMatchObject({
    version: 2,
    migrations: [migrated],
    questions: [{ id: 'check', of: 'store' }],
  });
  expect(timesOf(progress)).toHaveLength(1);
  await files.restartWorker();
  await handle.signal('event', { type: 'plus', id: 'new' });
  await handle.signal('event', { type: 'end', id: 'old' });
  await expect(handle.result()).resolves.toBe(id + 1);
});
