// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What a program may send to a flow, as JSON Schema: all that a process takes, and as much as the file says of it.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { schemasOfBuiltIn, schemasOfFile } from '../../../../client/flow-schemas.ts';
import { messageSchemas } from '../../../../flows/language/reading/message-schemas.ts';
import { fileOf } from '../names.ts';
import { takes } from '../said-in-stories.ts';

const repair = fileOf(`
name: Repair
meaning: A device is repaired, and checked by several people.
input: { type: object, required: [device, works], properties: { device: { type: string }, works: { type: array } } }
starts: { device.broken: { key: "repair-\${event.id}" }, device.lost: { request: { device: a, works: [] } } }
context: { by: null }
initial: asking
states:
  asking:
    invoke:
      id: report
      src: ask
      input:
        of: workshop
        question: What was done?
        fields:
          work: { choice: "\${input.works}", many: true, min: "\${1}" }
          parts: { type: number, min: 0, default: "\${size(input.works)}" }
          serial: { type: text, minLength: 7 }
          note: { type: text, optional: true, maxLength: 5 }
      onDone: checking
    on:
      parcel.*: { guard: "\${event.data.?weight.orValue(0) > 3}", target: over }
      again: { actions: { type: raise, params: { type: inner } } }
      inner: over
      report.claimed: over
      cancelRequested: over
  checking:
    invoke:
      id: check
      src: each
      input: { of: [1, 2], do: { src: ask, input: { of: desk, question: Is it whole?, fields: { whole: { type: yesNo } } } } }
      onDone: unlocking
  unlocking:
    invoke:
      - id: unlock
        src: UnlockShipmentLocker
        input: { shipmentUid: "\${input.device}" }
        undo: { src: ask, input: { of: desk, question: Please lock it. } }
        onDone: undoing
        onError: over
  undoing: { invoke: { id: undo, src: undo, onDone: over } }
  over: { type: final, entry: { type: log, params: { message: "\${event.data.place}" } } }
`);

test('the answers to every question that the file may ask', () => {
  const { answers } = messageSchemas(repair);
  expect(Object.keys(answers)).toEqual(['report', 'check.*', 'undo.unlock', 'undo.unlock.failed']);
  const { report = {}, 'check.*': check = {}, 'undo.unlock.failed': failed = {} } = answers;
  expect(report).toMatchObject({ title: 'What was done?', description: 'Asked of workshop' });
  const values = { work: ['board'], serial: 'SN-0001' };
  expect(takes(report, { values, by: 'anna' })).toBe(true);
  expect(takes(report, { question: 'report', values: { ...values, parts: 2, note: 'ok' }, by: 'anna' })).toBe(
    true,
  );
  for (const wrong of [
    { values },
    { by: 'anna' },
    { question: 'check', values, by: 'anna' },
    ...[{ serial: 'SN-1' }, { parts: -1 }, { note: 'too long' }, { work: 'board' }, { other: 1 }].map(
      (each) => ({
        values: { ...values, ...each },
        by: 'anna',
      }),
    ),
  ])
    expect([wrong, takes(report, wrong)]).toEqual([wrong, false]);
  expect(takes(check, { question: 'check.1', values: { whole: false }, by: 'ben' })).toBe(true);
  expect(takes(check, { question: 'check', values: { whole: false }, by: 'ben' })).toBe(false);
  expect(takes(failed, { values: { action: 'again' }, by: 'ben' })).toBe(true);
  expect(takes(failed, { values: { action: 'never' }, by: 'ben' })).toBe(false);
});

test('the events that come from outside', () => {
  const { events } = messageSchemas(repair);
  expect(Object.keys(events)).toEqual(['parcel.*', 'again', 'device.broken', 'device.lost']);
  const { 'parcel.*': parcel = {}, 'device.broken': broken = {} } = events;
  expect(takes(parcel, { type: 'parcel.sent', id: '1', data: { weight: 5 } })).toBe(true);
  expect(takes(parcel, { type: 'parcels' })).toBe(false);
  // What starts a process is its request.
  expect(takes(broken, { type: 'device.broken', data: { device: 'd-1', works: [] } })).toBe(true);
  expect(takes(broken, { type: 'device.broken', data: {} })).toBe(false);
});

test('a flow’s schemas stand for themselves', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const flow of ['Issue', 'OnboardAccount'] as const) {
    const { input, answers, events, result } = schemasOfBuiltIn(flow);
    expect([answers, events]).toEqual([{}, {}]);
    for (const schema of [input, result]) expect(() => ajv.compile(schema as object)).not.toThrow();
  }
  const { input } = schemasOfFile(repair);
  expect(takes(input, { request: { device: 'd-1', works: [] }, version: 3 })).toBe(true);
  expect(takes(input, { request: {} })).toBe(false);
});
