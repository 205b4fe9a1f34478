// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Messages between processes: what a file sends to its flows, to its parent and by correlation, the keys under which events find
// it, and the events that wait for a state that takes them. Played on the engine that runs it in production.
import { expect, test } from 'vitest';
import type { EventObject } from 'xstate';
import { schemasOfFile } from '../../../client/flow-schemas.ts';
import { correlatedEvent } from '../../../flows/language/correlation.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { lintFindings } from '../../../flows/language/lint/lint.ts';
import { Incoming } from '../../../flows/language/machine/incoming.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { event } from '../../../processes/commands/event.ts';
import { differing, fileOf } from './names.ts';

const repair = fileOf(`
name: Repair
meaning: Repairs a device, and says how far it is.
input: { type: object, required: [device], properties: { device: { type: string } } }
correlate: { device: "\${input.device}", job: "\${context.job}" }
context: { job: null }
initial: ordering
states:
  ordering:
    on: { job.made: { target: waiting, actions: { type: assign, params: { job: "\${event.data.job}" } } } }
    after: { P9D: over }
  waiting:
    entry: { type: sendParent, params: { type: ordered, data: { job: "\${context.job}" } } }
    on: { repair.finished: over, hurry: waiting }
    after: { P9D: over }
  over:
    type: final
    entry: { type: sendTo, params: { type: device.free, where: { device: "\${input.device}" }, data: 1, keepFor: PT10M } }
`);

const desk = fileOf(`
name: Desk
meaning: Has a device repaired.
context: { job: 0 }
initial: repairing
states:
  repairing:
    invoke: { id: repair, src: Repair, input: { request: { device: laptop-7 } }, onDone: over, onError: over }
    on:
      repair.ordered: { actions: { type: assign, params: { job: "\${event.data.job}" } } }
      user.waits: { actions: { type: sendTo, params: { to: repair, type: hurry, data: { job: "\${context.job}" } } } }
    after: { P9D: over }
  over: { type: final }
`);

test('a process is found by the keys that its data has now, and sends by keys and to its parent', () => {
  expect(
    differing(
      repair,
      `
- when: { event: job.made, data: { job: 12 } }
  then: { keys: { device: laptop-7, job: "12" }, sent: [{ type: ordered, data: { job: 12 }, to: parent }] }
- when: { event: repair.finished }
  then: { sent: [{ type: device.free, data: 1, where: { device: laptop-7 } }], keys: {} }
`,
      { device: 'laptop-7' },
      { keys: { device: 'laptop-7' } },
    ),
  ).toEqual([]);
  expect(new Player(repair, { input: { device: 'laptop-7' } }).keys).toEqual({ device: 'laptop-7' });
});

test('an event that comes too early waits for a state that takes it, and no longer than it may', () => {
  const steps = (waits: string) => `
- when: { event: repair.finished, keepFor: PT1H }
  then: { state: ordering }
- when: { passes: ${waits} }
- when: { event: job.made, data: { job: 12 } }
`;
  const then = (state: string) => `  then: { state: ${state} }\n`;
  expect(differing(repair, steps('PT59M') + then('over'), { device: 'a' })).toEqual([]);
  expect(differing(repair, steps('PT61M') + then('waiting'), { device: 'a' })).toEqual([]);
  // Without a queue there is nothing that keeps it.
  expect(
    differing(repair, '[{ when: { event: repair.finished }, then: { refused: true } }]', { device: 'a' }),
  ).toEqual([]);
});

test('a file sends events to a flow that it invokes, and hears what that sends its parent', () => {
  expect(
    differing(
      desk,
      `
- when: { event: repair.ordered, data: { job: 12 } }
  then: { context: { job: 12 } }
- when: { event: user.waits }
  then: { sent: [{ type: hurry, data: { job: 12 }, to: repair }] }
`,
      {},
    ),
  ).toEqual([]);
});

test('keys that are none halt the process, as any expression that fails does', () => {
  expect(
    differing(
      repair,
      '[{ when: { event: job.made, data: { job: [1] } }, then: { failure: ExpressionFailed, state: ordering } }]',
      { device: 'a' },
    ),
  ).toEqual([]);
});

const found = (text: string, others: readonly FlowFile[]) =>
  lintFindings(fileOf(text), { others })
    .filter(({ code }) => /^(Event|Key)|InputMay|InputNot|ContextN/.test(code))
    .map(({ code, path, because }) => [`${code} ${path}`, because ?? '']);

const sending = (params: string, on = 'go: a') => `
name: Sending
meaning: Sends.
initial: a
states:
  a:
    invoke: { id: repair, src: Repair, input: { request: { device: a } }, onDone: b, onError: b }
    entry: { type: sendTo, params: ${params} }
    on: { ${on} }
    after: { P1D: b }
  b: { type: final }
`;

test.each([
  ['{ to: repair, type: hurry }', 'go: a', []],
  ['{ to: repair, type: hury }', 'go: a', ['EventUnheard states.a.entry.params.type']],
  ['{ where: { device: a }, type: repair.finished }', 'go: a', []],
  ['{ where: { divice: a }, type: hurry }', 'go: a', ['EventUnheard states.a.entry.params.where']],
  ['{ where: { device: a }, type: hury }', 'go: a', ['EventUnheard states.a.entry.params.type']],
  // Nobody whom lint sees has to do with it: others may.
  ['{ where: { parcel: a }, type: parcel.gone }', 'go: a', []],
  ['{ to: repair, type: hurry }', 'repair.ordered: a', []],
  ['{ to: repair, type: hurry }', 'repair.orderd: a', ['EventNeverComes states.a.on.repair.orderd']],
])('sendTo %s, listening for %s', (params, on, expected) => {
  expect(found(sending(params, on), [repair]).map(([finding]) => finding)).toEqual(expected);
});

test('what a flow file sends its parent is not known without that file', () => {
  expect(found(sending('{ to: repair, type: hurry }', 'repair.orderd: a'), [])).toEqual([]);
});

test.each([
  ['correlate: { device: "${input.device}" }', 'go: b', 'InputMayBeMissing correlate'],
  ['correlate: { device: "${input.devise}" }', 'go: b', 'InputNotDeclared input.properties'],
  ['correlate: { device: "${context.device}" }', 'go: b', 'ContextNeverSet context'],
])('%s with a state that takes %s', (correlate, on, expected) => {
  const text = `
name: Keyed
meaning: Has a key.
input: { type: object, properties: { device: { type: string } } }
${correlate}
initial: a
states:
  a: { on: { ${on} }, after: { P1D: b } }
  b: { type: final }
`;
  expect(found(text, []).map(([finding]) => finding)).toContain(expected);
});

test('what is wrong with an event by correlation is said by its fields', () => {
  const issues = correlatedEvent({
    type: 'xstate.done',
    where: { 'a b': 1, list: [1], long: 'x'.repeat(201) },
    keepFor: 'P31D',
    data: 'x'.repeat(40_000),
  });
  expect((issues as { field: string }[]).map(({ field }) => field)).toEqual([
    ...['type', 'where.a b', 'where.list', 'where.long', 'keepFor', 'data'],
  ]);
  expect(correlatedEvent({ type: 'a', where: {} })).toMatchObject([{ field: 'where' }]);
  expect(correlatedEvent({ type: 'a', where: { b: 1, a: true, c: null } })).toEqual({
    type: 'a',
    where: { a: 'true', b: '1' },
    data: null,
    keepForMs: 3_600_000,
  });
});

test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__defineGetter__'])(
  'an event may be named %s, as what every object inherits',
  (type) => {
    const named = (event: string) => ({
      name: 'Any',
      meaning: 'Takes an event.',
      initial: 'waiting',
      states: { waiting: { on: { [event]: 'over' } }, over: { type: 'final' } },
    });
    const player = new Player(fileOf(JSON.stringify(named('*'))));
    player.send(type);
    expect(player.status).toBe('done');
    const deaf = new Player(fileOf(JSON.stringify(named('other'))));
    expect(() => deaf.send(type)).not.toThrow(TypeError);
    expect(deaf.states).toEqual(['waiting']);
  },
);

test.each(['\ud83d', 'a\0b', '', 'x'.repeat(201)])(
  'a key %j cannot be a part of an id, and is refused',
  (value) => {
    expect(correlatedEvent({ type: 'x', where: { key: value } })).toEqual([
      { field: 'where.key', message: 'expected 1 to 200 characters, no NUL and no half of a surrogate pair' },
    ]);
  },
);

test('an event whose data is larger than a context may be is dropped, and counted', () => {
  const data = 'x'.repeat(40_000);
  const incoming = new Incoming(repair);
  expect(incoming.take({ type: 'event', payload: { type: 'job.made', data } })).toBeNull();
  expect(incoming.putAside.dropped).toBe(1);
  const refused = event.input.safeParse({ type: 'job.made', data });
  expect(refused.error?.issues).toMatchObject([
    { path: ['data'], message: 'expected at most 32768 bytes as JSON' },
  ]);
});

test('an event that does not fit its schema is put aside with a reason that does not tell what it said', () => {
  const wanted = fileOf(`
name: Loan
meaning: A test.
events:
  wanted: { data: { type: object, required: [days], properties: { days: { type: integer }, desk: { type: string, default: front } }, additionalProperties: { type: integer } } }
initial: lent
states: { lent: { on: { wanted: {} } } }
`);
  const incoming = new Incoming(wanted);
  const take = (payload: object) => incoming.take({ type: 'event', payload });
  expect(take({ type: 'wanted', data: { days: 3 } })).toEqual({
    type: 'wanted',
    data: { days: 3, desk: 'front' },
  });
  expect(take({ type: 'wanted', id: 'e-1', data: { days: 'secret' } })).toBeNull();
  expect(take({ type: 'wanted', data: { desk: 1 } })).toBeNull();
  expect(incoming.putAside).toEqual({
    dropped: 2,
    misfits: [
      { type: 'wanted', id: 'e-1', reason: 'data.days must be integer' },
      { type: 'wanted', reason: 'data.days is required; data.desk must be string' },
    ],
  });
  take({ type: 'wanted', id: 'x'.repeat(900), data: { days: 1, extra: { 'Ann Smith': 'is ill' } } });
  expect(incoming.putAside.misfits.at(-1)).toEqual({
    ...{ type: 'wanted', id: 'x'.repeat(200) },
    reason: 'data has a field that does not fit',
  });
  for (let count = 0; count < 20; count++) take({ type: 'wanted', id: `e-${count}` });
  expect(incoming.putAside.dropped).toBe(23);
  expect(incoming.putAside.misfits.map(({ id }) => id)).toEqual(
    Array.from({ length: 10 }, (_, index) => `e-${index + 10}`),
  );
});

test.each([
  [{ until: 1, days: [{ on: 'never' }] }, 'data.days.0.on must be a date'],
  [{ until: { on: 'never' } }, 'data.until.on must be a date'],
  [{ until: { 'Ann Smith': 1 } }, 'data.until has a field that is not known, expected on'],
  [
    { until: 1, notes: { 'Ann Smith': 'ill' } },
    'data.notes.by is required; data.notes has a field that does not fit',
  ],
  [{}, 'data.until is required'],
  [null, 'data must be object'],
])('the reason of %j names the field as far as the file does', (data, reason) => {
  const file = fileOf(`
name: Loan
meaning: A test.
events:
  part.arrived:
    data:
      type: object
      required: [until]
      properties:
        days: { type: array, items: { type: object, properties: { on: { format: date } } } }
        notes: { type: object, required: [by], additionalProperties: { type: integer } }
        until:
          anyOf:
            - { type: integer }
            - { type: object, properties: { on: { format: date } }, additionalProperties: false }
initial: lent
states: { lent: { on: { part.arrived: { was: part.came, target: lent } } } }
`);
  const payload = { type: 'part.came', data };
  const incoming = new Incoming(file);
  const named = (event: EventObject) => ({ ...event, type: 'part.arrived' });
  expect(incoming.whyPutAside({ type: 'event', payload }, named)).toBe(reason);
  expect(incoming.putAside).toEqual({ dropped: 0, misfits: [] });
  expect(incoming.take({ type: 'event', payload }, named)).toBeNull();
  expect(incoming.putAside).toEqual({ dropped: 1, misfits: [{ type: 'part.came', reason }] });
});

test('nobody is asked to send what the file raises itself, unless it says what that says', () => {
  const text = (events: string) => `
name: Noted
meaning: It notes by itself that it was seen.
${events}
initial: open
states:
  open:
    on:
      seen: { actions: { type: raise, params: { type: noted } } }
      noted: { target: over }
  over: { type: final }
`;
  const eventsOf = (file: FlowFile) => [
    new Player(file).progress.waitingFor.flatMap(({ events = [] }) => events),
    schemasOfFile(file).events.map(({ type }) => type),
  ];
  expect(eventsOf(fileOf(text('')))).toEqual([['seen'], ['seen']]);
  const both = ['seen', 'noted'];
  expect(eventsOf(fileOf(text('events: { noted: { description: Somebody has noted it. } }')))).toEqual([
    both,
    both,
  ]);
  // Whoever knows it may send it.
  const player = new Player(fileOf(text('')));
  player.send('noted');
  expect(player.status).toBe('done');
});
