// A backtest of what others have written: a file that goes around comes to an end, and a name in its report is text and nothing
// else.
import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { FlowFile } from '../../../../flows/language/flow-file.ts';
import {
  type Backtested,
  backtest,
  backtestReport,
  formatReport,
} from '../../../../flows/language/simulation/backtest.ts';
import type { RecordedProcess } from '../../../../flows/language/simulation/recorded-process.ts';
import { report } from '../../../../shared/terminal/terminal.ts';
import { nowhere } from '../../../support/nowhere.ts';

const HOUR = 3_600_000;

const emitting = (...types: string[]) =>
  ({
    name: 'Parcel',
    meaning: 'Keeps a parcel.',
    initial: 'due',
    states: {
      due: {
        on: { came: { target: 'over', actions: types.map((type) => ({ type: 'emit', params: { type } })) } },
      },
      over: { type: 'final' },
    },
  }) as unknown as FlowFile;

/** It has emitted what its own file says. */
const processOf = (key: string, ...types: string[]): RecordedProcess => ({
  key,
  file: emitting(...types),
  version: 1,
  input: {},
  calls: [],
  begunAt: 0,
  until: 2 * HOUR,
  end: { status: 'done', output: null },
  stimuli: [{ kind: 'event', at: HOUR, payload: { type: 'came' } }],
});

/** On a file that emits nothing. */
const played = (key: string, ...types: string[]): Backtested =>
  backtest(processOf(key, ...types), emitting());

test('a file that goes around by a timer, and does nothing that is seen, is given up', () => {
  const around = {
    name: 'Parcel',
    meaning: 'Keeps a parcel.',
    initial: 'due',
    states: {
      due: { after: { PT1S: { target: 'due', reenter: true } }, on: { came: 'over' } },
      over: { type: 'final' },
    },
  } as unknown as FlowFile;
  const late: RecordedProcess = {
    ...processOf('a'),
    until: 6 * HOUR,
    stimuli: [{ kind: 'event', at: 6 * HOUR, payload: { type: 'came' } }],
  };
  expect(backtest(late, around)).toMatchObject({
    verdict: 'cannotTell',
    why: 'it takes more than 20000 events',
  });
});

test('a key moves no cursor, and makes no line of its own', () => {
  const key = 'k\u001b[2J\u009b31m\r\n[here](https://evil.example)';
  const made = backtestReport('Parcel', [played(key, 'told')]);
  const written: string[] = [];
  const terminal = { ...nowhere, write: (text: string) => void written.push(text) };
  report(terminal, new Command(), { words: formatReport(made), data: made });
  const shown = written.join('');
  expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
  expect(shown).toMatch(/^ {6}k.*here/m);
});
