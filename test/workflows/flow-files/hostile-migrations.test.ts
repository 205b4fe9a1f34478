// What a migration is asked with past every form and route: by whoever reaches Temporal, or by the names of a file. It is refused in
// words or done, and the process goes on.
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { publishedFlow } from '../../../client/flow-files/published-flows.ts';
import { planIn } from '../../../processes/migration-plan.ts';
import { runningFiles, uniqueName, untilProgress } from './running-files.ts';

const files = runningFiles();

const versionOf = (name: string, meaning: string, states: object) =>
  JSON.stringify({
    name,
    meaning,
    initial: Object.keys(states)[0],
    states: { ...states, over: { type: 'final' } },
  });

const asJson = (text: string): object => JSON.parse(text) as object;
const deep = asJson(`${'{"a":'.repeat(500)}0${'}'.repeat(500)}`);
const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`s${at}`, 'one']));
const own = [
  asJson('{"one":"__proto__"}'),
  { one: 'constructor' },
  { one: 'toString' },
  { one: 'valueOf.name' },
];
const wrongKinds = [null, 5, 'text', [5], { one: null }, { one: 5 }, { one: {} }, deep];
const oddNames = [
  ...own,
  asJson('{"__proto__":"one"}'),
  { constructor: 'one' },
  { one: '' },
  { one: '..' },
  many,
];
const parts = { names: ['states', 'invokes', 'events', 'timers'], lists: ['leave', 'restart', 'sent'] };

const refused: readonly (readonly [unknown, RegExp])[] = [
  ...[null, 5, 'text', []].map((plan) => [plan, /^expected plan, a map/] as const),
  ...parts.names.flatMap((part) =>
    wrongKinds.map((value) => [{ [part]: value }, /^expected plan\.\w+, a map of names/] as const),
  ),
  ...parts.lists.flatMap((part) =>
    [...wrongKinds, many].map(
      (value) => [{ [part]: value }, /^expected plan\.\w+, a list of names/] as const,
    ),
  ),
  ...['context', 'input'].flatMap((part) =>
    [null, 5, 'text', [5]].map((value) => [{ [part]: value }, /^expected plan\.\w+, a map/] as const),
  ),
  ...[null, 'later', [], { grace: -1 }, { grace: 'x' }, { grace: 1e300 }, { grace: 1, more: 1 }].map(
    (overdue) => [{ overdue }, /^expected plan\.overdue/] as const,
  ),
  ...[{ unknown: 1 }, { state: {} }, { toString: {} }, asJson('{"__proto__":{}}'), many].map(
    (plan) => [plan, /^expected plan, a map with any of states, /] as const,
  ),
  ...own.map(
    (states) => [{ states }, /^the plan maps one to \S+, and the new definition has no such state/] as const,
  ),
];
const taken = parts.names.slice(1).flatMap((part) => oddNames.map((value) => ({ [part]: value })));

test(`a process refuses ${refused.length} odd plans in words, takes ${taken.length} that say nothing of it, and goes on`, {
  timeout: 120_000,
}, async () => {
  const name = uniqueName('Asked');
  const states = { one: { after: { P1D: 'over' }, on: { go: 'over' } }, two: { on: { go: 'over' } } };
  await files.publish(versionOf(name, 'One.', states));
  const handle = await files.start(name, {});
  await untilProgress(handle, ({ state }) => state === 'one');
  await files.publish(versionOf(name, 'Two.', states));
  const to = await publishedFlow(files.client, name);
  const migrate = (plan: unknown) =>
    handle.executeUpdate('migrate', { args: [{ semantics: 1, by: 'eve', why: 'a test', to, plan }] });
  for (const [plan, words] of refused) {
    const error = await migrate(plan).catch((failure: unknown) => failure);
    expect(error, JSON.stringify(plan).slice(0, 80)).toBeInstanceOf(WorkflowUpdateFailedError);
    expect(((error as WorkflowUpdateFailedError).cause as ApplicationFailure).message).toMatch(words);
  }
  for (const plan of taken) await migrate(plan);
  expect(await untilProgress(handle, () => true)).toMatchObject({ state: 'one', version: 2, halted: null });
  await handle.signal('event', { type: 'go', id: 'go' });
  await handle.result();
});

test('a plan of a file is refused by the same rule', () => {
  // What a file leaves empty is absent.
  const forms = refused.filter(([plan, { source }]) => source.startsWith('^expected') && withoutNull(plan));
  for (const [plan] of forms)
    expect(() => planIn(JSON.stringify(plan)), JSON.stringify(plan).slice(0, 80)).toThrow(
      'the plan cannot be used',
    );
});

const withoutNull = (plan: unknown): boolean =>
  plan !== null && !(typeof plan === 'object' && Object.values(plan).includes(null));

test('a process migrates whose state, event and question have the names of what every object has', {
  timeout: 120_000,
}, async () => {
  const name = uniqueName('Named');
  const ask = {
    id: 'isPrototypeOf',
    src: 'ask',
    input: { of: 'desk', question: 'Well?', fields: {} },
    onDone: 'over',
  };
  const states = { toString: { invoke: ask, after: { P1D: 'over' }, on: { valueOf: 'over' } } };
  await files.publish(versionOf(name, 'One.', states));
  const handle = await files.start(name, {});
  await untilProgress(handle, ({ questions }) => questions.length === 1);
  await files.publish(versionOf(name, 'Two.', { ...states, hasOwnProperty: { on: { valueOf: 'over' } } }));
  const to = await publishedFlow(files.client, name);
  await handle.executeUpdate<object, [object]>('migrate', {
    args: [{ semantics: 1, by: 'eve', why: 'a test', to }],
  });
  expect(await untilProgress(handle, () => true)).toMatchObject({
    state: 'toString',
    version: 2,
    questions: [{ id: 'isPrototypeOf' }],
  });
  await handle.signal('event', { type: 'valueOf', id: 'one' });
  await handle.result();
});
