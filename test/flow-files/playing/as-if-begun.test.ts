// Whether a process that goes over to another version stands where it would, had it begun on that version.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
import { expect, test } from 'vitest';
import type { FlowFile } from '../../../flow-files/flow-file.ts';
import type { FlowFilePlan } from '../../../flow-files/machine/migration.ts';
import { isAsIfBegun } from '../../../flow-files/playing/backtest.ts';
import type { RecordedProcess, Stimulus } from '../../../flow-files/playing/recorded-process.ts';

const BEGUN = Date.parse('2026-01-05T09:00:00Z');
const HOUR = 3_600_000;

const set = (n: unknown) => ({ type: 'assign', params: { n } });
const over = { over: { type: 'final' } };
const file = (states: object): FlowFile =>
  ({
    ...{ name: 'Parcel', meaning: 'Keeps a parcel.', context: { n: 0 }, initial: Object.keys(states)[0] },
    states: { ...states, ...over },
  }) as unknown as FlowFile;

/** It has come to `kept` an hour after its start, and has been there for an hour. */
const recordedOn = (states: object, more: readonly Stimulus[] = []): RecordedProcess => ({
  ...{ key: 'parcel-1', file: file(states), version: 1, rules: 1, input: {}, begunAt: BEGUN, end: null },
  ...{ until: BEGUN + 2 * HOUR, calls: [] },
  stimuli: [{ kind: 'event', at: BEGUN + HOUR, payload: { type: 'came' } }, ...more],
});

const kept = { on: { fetched: 'over' }, after: { P10D: 'over' } };
const before = { due: { on: { came: { target: 'kept', actions: set(1) } } }, kept };

test.each<[string, boolean | undefined, object, FlowFilePlan?]>([
  ['the same', true, before],
  [
    'a renamed state',
    true,
    { due: { on: { came: { target: 'there', actions: set(1) } } }, there: { ...kept, was: 'kept' } },
  ],
  ['a shorter deadline', true, { ...before, kept: { ...kept, after: { P7D: 'over' } } }],
  [
    'other data on a way that it has taken',
    false,
    { ...before, due: { on: { came: { target: 'kept', actions: set(9) } } } },
  ],
  ['another way', false, { due: { on: { came: 'aside' } }, aside: kept, kept }],
  ['another action on the way', false, { ...before, kept: { ...kept, entry: set(2) } }],
  [
    'a deadline that it has missed already',
    undefined,
    { ...before, kept: { ...kept, after: { PT30M: 'over' } } },
  ],
  [
    'a deadline that it has missed, which the plan keeps',
    false,
    { ...before, kept: { ...kept, after: { PT30M: 'over' } } },
    { overdue: 'keep' },
  ],
])('%s: %s', (_, expected, after, plan) => {
  const to = { file: file(after), version: 2, publishedAt: '' };
  expect(isAsIfBegun(recordedOn(before), to, plan)).toBe(expected);
});

test('what history does not tell is not guessed', () => {
  const asks = {
    ...before,
    due: {
      on: { came: { target: 'kept', actions: set(1) } },
      invoke: { id: 'q', src: 'ask', input: { of: 'desk', question: 'There?', fields: {} }, onDone: 'kept' },
    },
  };
  expect(isAsIfBegun(recordedOn(before), { file: file(asks), version: 2, publishedAt: '' })).toBeUndefined();
});
