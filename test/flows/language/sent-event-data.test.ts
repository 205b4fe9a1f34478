// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of files.
// docs/flow-files.md: What an event says. What a file raises itself, and what flows tell each other, goes by the schemas of whoever
// hears it: lint warns of what cannot fit, and what does not fit is put aside.
import { expect, test } from 'vitest';
import type { EventObject } from 'xstate';
import { noReply } from '../../../engine/inbox.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { lintFindings } from '../../../flows/language/lint/lint.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import { Player } from '../../../flows/simulation/player.ts';
import type { Story } from '../../../flows/simulation/story-file.ts';
import { fileOf } from './names.ts';

const events = (type: string) => `
events:
  ${type}: { data: { type: object, required: [days], properties: { days: { type: integer }, desk: { type: string, default: front } } } }
`;

const raising = (delay = '') =>
  fileOf(`
name: Raising
meaning: Raises what it hears.
${events('counted')}
context: { heard: [] }
initial: waiting
states:
  waiting:
    on:
      came: { actions: { type: raise, params: { type: counted, data: "\${event.data}"${delay} } } }
      counted: { actions: { type: assign, params: { heard: "\${context.heard + [event.data]}" } } }
`);

test('what a file raises itself is filled in, or put aside with its reason, and halts nothing', () => {
  const player = new Player(raising());
  player.send('came', { days: 2 });
  // A story says it: in production nobody hears of it.
  expect(() => player.send('came', { days: 'two' })).toThrow(
    'counted does not fit: data.days must be integer',
  );
  expect(player.progress).toMatchObject({
    halted: null,
    dropped: 1,
    misfits: [{ type: 'counted', reason: 'data.days must be integer' }],
    context: { heard: [{ days: 2, desk: 'front' }] },
  });
  player.send('came', { days: 3 });
  expect(player.context).toEqual({
    heard: [
      { days: 2, desk: 'front' },
      { days: 3, desk: 'front' },
    ],
  });
});

test('so is what it raises for later', () => {
  const player = new Player(raising(', delay: PT1H'));
  expect(() => player.send('came', {})).toThrow('counted does not fit: data.days is required');
  player.send('came', { days: 1 });
  player.pass('PT2H');
  expect(player.context).toEqual({ heard: [{ days: 1, desk: 'front' }] });
  expect(player.progress.dropped).toBe(1);
});

test('what would follow from an event is asked without counting anything', () => {
  const player = new Player(raising());
  const fields = { type: 'came', data: { days: 'two' } };
  expect(player.process.actions({ command: 'event', fields })).toMatchObject({ isPossible: true });
  expect(player.progress.dropped).toBe(0);
});

test('nor is what waits behind the event of a halted process, when it is asked what a decision would lead to', () => {
  const player = new Player(
    fileOf(`
name: Parent
meaning: Halts.
events: { repair.parts.ready: { data: { type: object } } }
context: { heard: [] }
initial: repairing
states:
  repairing:
    invoke: { id: repair, src: Child, onDone: over, onError: over }
    on:
      wrong: { actions: { type: assign, params: { heard: "\${context.nothing}" } } }
      repair.parts.ready: { actions: { type: log, params: { message: ready } } }
  over: { type: final }
`),
  );
  const { process } = player;
  expect(() => player.send('wrong')).toThrow('ExpressionFailed');
  const [call] = process.calls.open;
  if (!call) throw new TypeError('nothing runs');
  process.childEvent(call, { type: 'parts.ready', data: 'two' } as EventObject);
  const fields = { by: 'anna', why: 'it is wrong' };
  expect(process.actions({ command: 'dropEvent', fields })).toMatchObject({ isPossible: true });
  expect(player.progress.dropped).toBe(0);
  process.decide('dropEvent', 'decision', noReply);
  process.drain();
  expect(player.progress).toMatchObject({ dropped: 1, misfits: [{ type: 'repair.parts.ready' }] });
});

const parent = (work: string, type = 'repair.parts.ready') =>
  fileOf(`
name: Parent
meaning: Has devices repaired.
${events(type)}
context: { heard: [] }
initial: repairing
states:
  repairing:
    invoke: { id: repair, ${work}, onDone: over, onError: over }
    on: { repair.parts.ready: { actions: { type: assign, params: { heard: "\${context.heard + [event.data.days]}" } } } }
  over: { type: final }
`);

const child = (data: string) =>
  fileOf(`
name: Child
meaning: Repairs a device.
initial: working
states:
  working: { entry: { type: sendParent, params: { type: parts.ready${data} } }, after: { P1D: over } }
  over: { type: final }
`);

test.each([
  ['a flow', 'src: Child', 'repair.parts.ready'],
  ['an item', 'src: each, input: { of: [1, 2], do: { src: Child } }', 'repair.1.parts.ready'],
])('what %s sends its parent is put aside where it does not fit', (_, work, type) => {
  const player = new Player(parent(work));
  player.send(type, { days: 2 });
  const calls = player.open.length;
  // As it comes in production: a story refuses it before.
  expect(() => player.send(type, { days: 'two' })).toThrow('repair.parts.ready does not fit');
  expect(player.open).toHaveLength(calls);
  expect(player.progress).toMatchObject({ context: { heard: [2] }, halted: null });
});

test('a story says of what the file raises that it does not fit', () => {
  const story = parsedText(`
story: It counts.
steps: [{ when: { event: came, data: { days: two } }, then: { context: { heard: [] } } }]
`).data as unknown as Story;
  expect(play(raising(), story).problems).toEqual([
    'step 1 (event came): counted does not fit: data.days must be integer',
  ]);
});

const wrong = (file: FlowFile, others: readonly FlowFile[] = []) =>
  lintFindings(file, { others })
    .filter(({ code }) => code === 'EventDataWrong' || code === 'EventSchemaUnused')
    .map(({ code, path, because }) => [`${code} ${path}`, because]);

const sending = (params: string) =>
  fileOf(`
name: Sender
meaning: Tells others.
${events('counted')}
initial: telling
states:
  telling:
    invoke: { id: child, src: Hearing, onDone: over, onError: over }
    entry: ${params}
    on: { counted: over }
  over: { type: final }
`);

const hearing = fileOf(`
name: Hearing
meaning: Hears others.
correlate: { device: "\${input.device}" }
input: { type: object, required: [device], properties: { device: { type: string } } }
${events('counted')}
initial: waiting
states: { waiting: { on: { counted: over } }, over: { type: final } }
`);

const at = 'EventDataWrong states.telling.entry.params';

test.each([
  [
    'raise',
    '{ type: raise, params: { type: counted, data: { days: two } } }',
    `${at}.data.days`,
    'Sender: data.days must be integer, not "two"',
  ],
  ['raise', '{ type: raise, params: { type: counted } }', at, 'Sender: data must be object, not null'],
  [
    'raise',
    '{ type: raise, params: { type: counted, data: {} } }',
    `${at}.data.days`,
    'Sender: data.days is required',
  ],
  [
    'sendTo',
    '{ type: sendTo, params: { to: child, type: counted, data: { days: 1.5 } } }',
    `${at}.data.days`,
    'Hearing: data.days must be integer, not 1.5',
  ],
  [
    'sendTo',
    '{ type: sendTo, params: { where: { device: a }, type: counted, data: { desk: a } } }',
    `${at}.data.days`,
    'Hearing: data.days is required',
  ],
])('lint warns of what %s says against the schema of whoever hears it: %s', (_, params, place, because) => {
  expect(wrong(sending(params), [hearing])).toEqual([[place, because]]);
});

test.each([
  '{ type: raise, params: { type: counted, data: "${context}" } }',
  '{ type: raise, params: { type: counted, data: { days: "${1 + 1}" } } }',
  '{ type: sendTo, params: { to: child, type: counted, data: { days: 1, more: 2 } } }',
  '{ type: sendTo, params: { where: { order: a }, type: counted, data: null } }',
  '{ type: emit, params: { type: counted } }',
])('lint says nothing of what may fit, or of what it does not know: %s', (params) => {
  expect(wrong(sending(params), [hearing])).toEqual([]);
});

test('lint warns of what a file sends its parent by what the parent says of it', () => {
  const told = [
    'EventDataWrong states.working.entry.params.data.days',
    'Parent: data.days must be integer, not "two"',
  ];
  expect(wrong(child(', data: { days: two }'), [parent('src: Child')])).toEqual([told]);
  const batch = parent('src: each, input: { of: [1], do: { src: Child } }');
  expect(wrong(child(', data: { days: two }'), [batch])).toEqual([told]);
  expect(wrong(child(', data: { days: 2 }'), [parent('src: Child')])).toEqual([]);
  // Its own events are used, those of others are not its own.
  expect(wrong(parent('src: Child'), [child('')])).toEqual([]);
  expect(wrong(parent('src: Child', 'repair.parts.gone'), [])).toEqual([
    ['EventSchemaUnused events.repair.parts.gone', 'perhaps repair.parts.ready was meant'],
  ]);
});
