// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// `src: each` does something with every item of a list: so many at once, with failures that it tolerates or not, until enough
// are done. Played on the engine that runs it in production.
import { expect, test } from 'vitest';
import type { FlowFile, Json, JsonObject } from '../../../flows/language/flow-file.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import { Player } from '../../../flows/simulation/player.ts';
import type { Step } from '../../../flows/simulation/story-file.ts';
import { atSizes } from '../../support/suite.ts';
import { fileOf, findingsIn } from './names.ts';

/** @param each fields of the input of `each`, beside `of` and `do`, as YAML of one line each */
function recall(
  each = '',
  work = 'src: IssueFromStock, input: { request: { priorShipmentUid: "${item.uid}" } }',
): FlowFile {
  return fileOf(`
name: Recall
meaning: Calls devices back.
input: { type: object, required: [devices], properties: { devices: {} } }
context: { result: null, error: null, heard: [], pickedUp: [], ended: [] }
initial: calling
states:
  calling:
    invoke:
      id: recall
      src: each
      input:
        of: "\${input.devices}"
        atOnce: 2
        ${each}
        do: { ${work} }
      onDone: { target: over, actions: { type: assign, params: { result: "\${event.output}" } } }
      onError: { target: failed, actions: { type: assign, params: { error: "\${event.error}" } } }
    on:
      recall.failed: { actions: { type: assign, params: { heard: "\${context.heard + [event.index]}" } } }
      recall.done: { actions: { type: assign, params: { ended: "\${context.ended + [{'item': event.item.uid, 'done': event.done, 'failed': event.failed}]}" } } }
      recall.issue.Completed: { actions: { type: assign, params: { pickedUp: "\${context.pickedUp + [event.item.uid]}" } } }
      stop: { actions: { type: cancel, params: { invoke: recall } } }
      away: over
      cancelRequested: { actions: { type: log, params: { message: cancelled } } }
  over: { type: final }
  failed: { type: final }
`);
}

const devices = (...uids: readonly string[]) => ({ input: { devices: uids.map((uid) => ({ uid })) } });
const lists = (value: Json) => value as unknown as Record<'done' | 'failed' | 'left', JsonObject[]>;
const resultOf = (player: Player) => lists(player.context.result as Json);
const indexes = (of: readonly JsonObject[]) => of.map(({ index }) => index);

/** `each` and `do` as above; each letter of `items` is a device. */
const stories = parsedText(`
- story: so many items run at once, and each has its own input
  items: abc
  steps:
    - then:
        open: [recall.0, recall.1]
        inputs: { recall.0: { request: { priorShipmentUid: a } }, recall.1: { request: { priorShipmentUid: b } } }
    - { when: { done: recall.1, output: { parcel: 1 } }, then: { open: [recall.0, recall.2] } }
- story: it is done when every item has ended, with what each gave in the order of the list
  items: ab
  steps:
    - { when: { done: recall.1, output: { parcel: 1 } } }
    - when: { done: recall.0, output: { parcel: 0 } }
      then:
        context:
          result:
            done:
              - { index: 0, item: { uid: a }, output: { parcel: 0 } }
              - { index: 1, item: { uid: b }, output: { parcel: 1 } }
            failed: []
            left: []
- story: an empty list is done at once
  items: ""
  steps: [{ then: { status: done, context: { result: { done: [], failed: [], left: [] } } } }]
- story: failures that are tolerated are told, and the rest goes on
  each: "tolerate: 1"
  items: abc
  steps:
    - { when: { fails: recall.0, error: NoFreeLocker }, then: { context: { heard: [0] } } }
    - { when: { done: recall.1 } }
    - { when: { done: recall.2 }, then: { state: over } }
- story: one failure more than is tolerated is too many
  each: "tolerate: 1"
  items: abc
  steps:
    - { when: { fails: recall.0, error: NoFreeLocker }, then: { state: calling } }
    - { when: { fails: recall.2, error: NoFreeLocker }, then: { state: failed } }
- story: all failures are tolerated where the file says so
  each: "tolerate: all"
  items: abc
  steps:
    - { when: { fails: recall.0, error: NoFreeLocker } }
    - { when: { fails: recall.1, error: NoFreeLocker } }
    - { when: { fails: recall.2, error: NoFreeLocker }, then: { state: over } }
- story: enough is a number of items that are done, and then the others are cancelled
  each: "enough: 1"
  items: abc
  steps: [{ when: { done: recall.0 }, then: { status: done, open: [] } }]
- story: enough is an expression over what is done
  each: 'enough: "\${done.exists(each, each.output.ok)}"'
  items: abc
  steps:
    - { when: { done: recall.1, output: { ok: false } }, then: { state: calling } }
    - { when: { done: recall.0, output: { ok: true } }, then: { status: done, open: [] } }
- story: keep says what is kept of a result
  each: 'keep: "\${item.uid + output.parcel}"'
  items: a
  steps:
    - when: { done: recall.0, output: { parcel: "-7", more: x } }
      then: { context: { result: { done: [{ index: 0, item: { uid: a }, output: a-7 }], failed: [], left: [] } } }
- story: the process hears of each item that has ended, and how many have
  each: "tolerate: all"
  items: abc
  steps:
    - { when: { done: recall.1 } }
    - { when: { fails: recall.0, error: NoFreeLocker } }
    - when: { done: recall.2 }
      then: { context: { ended: [{ item: b, done: 1, failed: 0 }, { item: c, done: 2, failed: 1 }] } }
- story: the process hears the events of the flows of its items, with the item
  items: ab
  steps: [{ when: { event: recall.1.issue.Completed }, then: { context: { pickedUp: [b] } } }]
- story: nobody outside can speak for an item
  items: a
  steps: [{ when: { event: recall.failed }, then: { refused: true } }]
- story: an action cancels it, and it has failed once its items have ended
  each: "tolerate: all"
  items: abc
  steps: [{ when: { event: stop }, then: { state: failed, open: [] } }]
- story: leaving its state ends its items
  items: abc
  steps: [{ when: { event: away }, then: { status: done } }]
- story: it asks people, each question under its own id
  do: 'src: ask, input: { of: desk, question: "Is \${item.uid} whole?", fields: { whole: { type: yesNo } } }'
  items: ab
  steps:
    - { when: { answer: recall.1, with: { whole: true }, by: anna }, then: { open: [recall.0] } }
    - { when: { answer: recall.0, with: { whole: false }, by: anna }, then: { state: over } }
`).data as unknown as {
  readonly story: string;
  readonly each?: string;
  readonly do?: string;
  readonly items: string;
  readonly steps: readonly Step[];
}[];

test.each(stories)('$story', ({ story, each, do: work, items, steps }) => {
  const given = { input: { devices: [...items].map((uid) => ({ uid })) } };
  expect(play(recall(each, work), { story, given, steps }).problems).toEqual([]);
});

test('each call is tried again as `do` says', () => {
  const work =
    'src: GetLockers, input: { pupUid: "${item.uid}" }, retry: { on: 404, first: PT1M }, within: PT1H';
  expect(new Player(recall('', work), devices('a')).open).toMatchObject([
    { id: 'recall.0', retry: { on: 404, first: 'PT1M' }, within: 'PT1H' },
  ]);
});

test('a failure that is not tolerated cancels the others, waits for them, and fails with all that has become of the items', () => {
  const player = new Player(recall(), devices('a', 'b', 'c'));
  player.fail('recall.0', 'NoFreeLocker', 'no locker is free');
  expect(player.states).toEqual(['failed']);
  expect(player.context.error).toMatchObject({
    code: 'ItemsFailed',
    message: '1 of 3 items failed, expected at most 0; the first was item 0: NoFreeLocker',
    detail: {
      done: [],
      failed: [{ index: 0, item: { uid: 'a' }, error: { code: 'NoFreeLocker' } }],
      left: [
        { index: 1, item: { uid: 'b' } },
        { index: 2, item: { uid: 'c' } },
      ],
    },
  });
});

test('its result tells apart what is done, what has failed, and what was left', () => {
  const player = new Player(recall('tolerate: all\n        enough: 2'), devices('a', 'b', 'c', 'd'));
  player.fail('recall.0', 'NoFreeLocker');
  player.done('recall.1');
  player.done('recall.2');
  const { done, failed, left } = resultOf(player);
  expect([done, failed, left].map(indexes)).toEqual([[1, 2], [0], [3]]);
});

test('an item whose input cannot be made has failed, and only that item', () => {
  const player = new Player(recall('tolerate: all'), { input: { devices: [{ uid: 'a' }, { id: 'b' }] } });
  player.done('recall.0');
  expect(resultOf(player).failed).toMatchObject([
    { index: 1, error: { code: 'ExpressionFailed', message: expect.stringContaining('do.input.request') } },
  ]);
});

test('after a cancellation of the process no further item begins', () => {
  const player = new Player(recall('tolerate: all'), devices('a', 'b', 'c'));
  player.cancel();
  expect(player.context.error).toMatchObject({ code: 'Cancelled' });
  const { left, failed } = lists((player.context.error as unknown as { detail: Json }).detail);
  expect(indexes([...failed, ...left]).sort()).toEqual([0, 1, 2]);
});

test('progress says how far it has come', () => {
  const player = new Player(recall('tolerate: all'), devices('a', 'b', 'c', 'd'));
  player.done('recall.0');
  player.fail('recall.1', 'NoFreeLocker', 'no locker is free');
  expect(player.progress.waitingFor[0]?.words).toBe('recall: 1 of 4 done, 1 failed, 2 at work');
});

test.each([
  ['something that is no list', { devices: 'all' }, 'it gives no list'],
  [
    'more than 10,000 items',
    { devices: Array.from({ length: 10_001 }, (_, uid) => ({ uid })) },
    '10001 items',
  ],
])('given %s, the process halts and says so', (_, input, reason) => {
  expect(() => new Player(recall(), { input: input as JsonObject })).toThrow(reason);
});

test.each([
  ['a variable that is not there', 'src: IssueFromStock, input: { x: "${event.x}" }', 'ExpressionInvalid'],
  ['an `each` within', 'src: each, input: { of: [] }', 'ValueWrong'],
  ['an unknown name', 'src: issueFromStok', 'SrcUnknown'],
  ['a field that is not known', 'src: IssueFromStock, with: 1', 'FieldUnknown'],
  ['a question without an inbox', 'src: ask, input: { question: Well? }', 'FieldMissing'],
])('what it does with an item is checked: %s', (_, work, code) => {
  const findings = findingsIn(`
name: Recall
meaning: Calls devices back.
initial: calling
states:
  calling: { invoke: { src: each, input: { of: [1], do: { ${work} } }, onDone: over, onError: over } }
  over: { type: final }
`);
  expect(findings).toContainEqual(expect.stringContaining(`${code} `));
});

atSizes({ short: 500, long: 3_000 }, (items) =>
  test('of hundreds or thousands of items, the process keeps what it is told to keep', () => {
    const file = fileOf(`
name: Recall
meaning: Calls devices back.
input: { type: object, required: [devices], properties: { devices: {} } }
context: { done: 0 }
initial: calling
states:
  calling:
    invoke:
      src: each
      input: { of: "\${input.devices}", atOnce: 100, keep: "\${index}", do: { src: IssueFromStock, input: { request: {} } } }
      onDone: { target: over, actions: { type: assign, params: { done: "\${size(event.output.done)}" } } }
      onError: over
  over: { type: final }
`);
    const player = new Player(file, {
      input: { devices: Array.from({ length: items }, (_, uid) => ({ uid })) },
    });
    for (let { open: left } = player; left.length > 0; left = player.open)
      for (const { id } of left) player.done(id, { large: 'x'.repeat(1_000) });
    expect(player.context.done).toBe(items);
  }),
);

test('a process goes over to a corrected file while its items run: those that run go on, the others begin as it says now', () => {
  const before = recall('tolerate: all');
  const player = new Player(before, devices('a', 'b', 'c'));
  const corrected = recall(
    'tolerate: all',
    'src: IssueFromStock, input: { request: { priorShipmentUid: "${item.uid}-2" } }',
  );
  player.migrate({ file: corrected, version: 2 });
  expect(player.open.map(({ input }) => input)).toEqual([
    { request: { priorShipmentUid: 'a' } },
    { request: { priorShipmentUid: 'b' } },
  ]);
  player.done('recall.0', { from: 'before' });
  expect(player.open.map(({ input }) => input)).toEqual([
    { request: { priorShipmentUid: 'b' } },
    { request: { priorShipmentUid: 'c-2' } },
  ]);
  player.done('recall.1');
  player.done('recall.2');
  expect(indexes(resultOf(player).done)).toEqual([0, 1, 2]);
});

/** Its `each` has another name. */
const renamed = (file: FlowFile): FlowFile =>
  JSON.parse(
    JSON.stringify(file)
      .replaceAll('"recall', '"callBack')
      .replace('"id":"callBack"', '"id":"callBack","was":"recall"'),
  );

test('an `each` with another name goes on under it', () => {
  const before = recall('tolerate: all');
  const player = new Player(before, devices('a', 'b', 'c'));
  player.migrate({ file: renamed(before), version: 2 });
  for (let { open: left } = player; left.length > 0; left = player.open)
    for (const { id } of left) player.done(id);
  expect(indexes(resultOf(player).done)).toEqual([0, 1, 2]);
});

test('an `each` with another name still cancels the items that it has begun', () => {
  const before = recall('tolerate: all\n        enough: 1');
  const player = new Player(before, devices('a', 'b'));
  player.migrate({ file: renamed(before), version: 2 });
  player.done('recall.0');
  expect(player.open).toEqual([]);
  expect(indexes(resultOf(player).done)).toEqual([0]);
});

test('an `each` that has another name now is not joined by a new one of its former name', () => {
  const player = new Player(recall('tolerate: all'), devices('a'));
  const both = renamed(recall('tolerate: all'));
  const again = {
    invoke: { id: 'recall', src: 'each', input: { of: [], do: { src: 'Issue' } }, onDone: 'over' },
  };
  const file = { ...both, states: { ...both.states, again } } as FlowFile;
  expect(() => player.migrate({ file, version: 2 })).toThrow(
    'the items of callBack run as recall.0, recall.1 and so on, and the new file has another each named recall',
  );
  player.migrate({ file: both, version: 2 });
  expect(() => player.migrate({ file: { ...file, name: 'Recall' }, version: 3 })).toThrow(
    'the items of callBack run as',
  );
  player.done('recall.0');
});

/** It listens for nothing that its `each` says. */
const deaf = (file: FlowFile): FlowFile =>
  JSON.parse(JSON.stringify(file, (type, value) => (/^recall\.\w/.test(type) ? undefined : value)));

test.each(['recall', 'callBack'])(
  'an `each` says what a new file listens for, and so do its items (%s)',
  (id) => {
    const file = recall('tolerate: all');
    const player = new Player(deaf(file), devices('a', 'b', 'c'));
    player.done('recall.0');
    player.migrate({ file: id === 'recall' ? file : renamed(file), version: 2 });
    const heard = ['issue.Completed'];
    expect(player.open.map(({ subscriptions }) => subscriptions)).toEqual([heard, heard]);
    player.done('recall.1');
    player.done('recall.2');
    expect(lists(player.context as Json)).toMatchObject({ ended: [{ item: 'b' }, { item: 'c' }] });
  },
);

test('what is done with the items is not replaced while it runs', () => {
  const player = new Player(recall('tolerate: all'), devices('a'));
  const other = recall('tolerate: all', 'src: Issue, input: { request: {} }');
  expect(() => player.migrate({ file: other, version: 2 })).toThrow('recall runs');
});

test('what people call an item is said of what waits, asks and fails', () => {
  const player = new Player(recall('title: "Device ${item.uid}"'), devices('a', 'b', 'c'));
  const { waitingFor, children } = player.progress;
  expect(waitingFor.map(({ words }) => words)).toEqual([
    'recall: 0 of 3 done, 0 failed, 2 at work (Device a, Device b)',
    'IssueFromStock, for Device a',
    'IssueFromStock, for Device b',
    expect.stringContaining('events: '),
  ]);
  expect(children.map(({ itemTitle }) => itemTitle)).toEqual(['Device a', 'Device b']);
  player.done('recall.0');
  expect(player.progress.waitingFor[0]?.params).toMatchObject({ atWork: ['Device b', 'Device c'] });
  player.fail('recall.1', 'Broken');
  expect(player.context.error).toMatchObject({
    message: '1 of 3 items failed, expected at most 0; the first was Device b: Broken',
  });
  const asking = recall('title: "${item.uid}"', 'src: ask, input: { of: desk, question: Is it there? }');
  expect(new Player(asking, devices('a')).progress.questions).toMatchObject([
    { id: 'recall.0', itemTitle: 'a' },
  ]);
});

test('an item that cannot be called anything is done all the same', () => {
  for (const title of ['${item.missing}', '${item}', ' ', '${null}']) {
    const player = new Player(recall(`title: "${title}"`), devices('a'));
    expect(player.progress.waitingFor[0]?.words, title).toBe('recall: 0 of 1 done, 0 failed, 1 at work');
    player.done('recall.0');
    expect(indexes(resultOf(player).done)).toEqual([0]);
  }
});
