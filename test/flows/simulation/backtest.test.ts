// What another version would have decided on what happened to a process: also of a file that goes around, and of a hostile name.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { backtest, backtestReport, formatReport } from '../../../flows/simulation/backtest.ts';
import { played } from '../../../flows/simulation/play-history.ts';
import type { RecordedProcess, Stimulus } from '../../../flows/simulation/recorded-process.ts';
import { report } from '../../../shared/terminal/report.ts';
import { nowhere } from '../../support/nowhere.ts';

const BEGUN = Date.parse('2026-01-05T09:00:00Z');
const HOUR = 3_600_000;

const set = (n: unknown) => ({ type: 'assign', params: { n } });
const over = { over: { type: 'final' } };
const file = (states: object): FlowFile =>
  ({
    name: 'Parcel',
    meaning: 'Keeps a parcel.',
    context: { n: 0 },
    initial: Object.keys(states)[0],
    states: { ...states, ...over },
  }) as unknown as FlowFile;

/** It has come to `kept` an hour after its start, and has been there for an hour. */
const recordedOn = (states: object, more: readonly Stimulus[] = []): RecordedProcess => ({
  key: 'parcel-1',
  file: file(states),
  version: 1,
  input: {},
  begunAt: BEGUN,
  end: null,
  until: BEGUN + 2 * HOUR,
  calls: [],
  stimuli: [{ kind: 'event', at: BEGUN + HOUR, payload: { type: 'came' } }, ...more],
});

const kept = { on: { fetched: 'over' }, after: { P10D: 'over' } };
const reminds = (delay: string, { guard = 'true', more = {} } = {}) => ({
  due: {
    after: { [delay]: { actions: { type: 'emit', params: { type: 'late' } } } },
    on: { came: [{ guard: `\${${guard}}`, target: 'kept', actions: set(1) }, { target: 'aside' }] },
  },
  kept: { ...kept, ...more },
  aside: kept,
});

test.each<[string, string, object]>([
  ['the same', 'same', reminds('PT20M')],
  ['a reminder that comes at another time', 'sameAtAnotherTime', reminds('PT40M')],
  ['a reminder that does not come any more', 'decidesOtherwise', reminds('PT2H')],
  ['a guard that does not hold', 'decidesOtherwise', reminds('PT20M', { guard: 'context.n > 0' })],
  [
    'a call that nobody has answered',
    'cannotTell',
    reminds('PT20M', {
      more: { invoke: { id: 'also', src: 'GetLockers', onDone: 'over', onError: 'over' } },
    }),
  ],
])('backtest with %s: %s', (_, result, after) => {
  expect(backtest(recordedOn(reminds('PT20M')), file(after))).toMatchObject({ result });
});

test('a timer that somebody has moved is moved in the play', () => {
  const until = BEGUN + HOUR / 2;
  const given = { timer: 'PT90M', until: new Date(until).toISOString() };
  const recorded = recordedOn(reminds('PT90M'));
  const stimuli: Stimulus[] = [
    { kind: 'update', at: BEGUN + HOUR / 4, name: 'extendDeadline', given },
    ...recorded.stimuli,
  ];
  const moved = { ...recorded, stimuli };
  expect(played(moved, moved).steps.map(({ at, event }) => [event, at])).toEqual([
    ['start', BEGUN],
    ['a timer', until],
    ['came', BEGUN + HOUR],
  ]);
  expect(backtest(moved, file(reminds('PT90M'))).result).toBe('same');
  expect(backtest(moved, file(reminds('PT2H')))).toMatchObject({
    result: 'cannotTell',
    why: expect.stringMatching(/^somebody did extendDeadline, which is refused now: /),
  });
});

test('the report of a backtest says how many decide otherwise, and where', () => {
  const otherwise = backtest(
    recordedOn(reminds('PT20M')),
    file(reminds('PT20M', { guard: 'context.n > 0' })),
  );
  expect(otherwise).toMatchObject({
    divergence: {
      from: ['due'],
      before: { event: 'came', to: ['kept'] },
      now: { event: 'came', to: ['aside'] },
    },
  });
  const made = backtestReport('Parcel', [otherwise]);
  expect(made).toMatchObject({ results: { same: 0, decidesOtherwise: 1 } });
  expect(formatReport(made)).toContainEqual('  1 x in due: before, came -> kept; now, came -> aside');
});

test('a file that goes around by a timer, and does nothing that is seen, is given up', () => {
  const around = file({ due: { after: { PT1S: { target: 'due', reenter: true } }, on: { came: 'over' } } });
  const late: RecordedProcess = {
    ...recordedOn(reminds('PT20M')),
    until: BEGUN + 6 * HOUR,
    stimuli: [{ kind: 'event', at: BEGUN + 6 * HOUR, payload: { type: 'came' } }],
  };
  expect(backtest(late, around)).toMatchObject({
    result: 'cannotTell',
    why: 'it takes more than 20000 events',
  });
});

test('a key moves no cursor, and makes no line of its own', () => {
  const key = 'k\u001b[2J\u009b31m\r\n[here](https://evil.example)';
  const otherwise = backtest({ ...recordedOn(reminds('PT20M')), key }, file(reminds('PT2H')));
  const made = backtestReport('Parcel', [otherwise]);
  const written: string[] = [];
  const terminal = { ...nowhere, write: (text: string) => void written.push(text) };
  report(terminal, new Command(), { text: formatReport(made), data: made });
  const shown = written.join('');
  expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
  expect(shown).toMatch(/^ {6}k.*here/m);
});
