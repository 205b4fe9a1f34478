// The progress bar of a flow file: which of its states are over, which is the present one, and which may come.
import { expect, test } from 'vitest';
import {
  type StateProgressBarParts,
  stateProgressBar,
} from '../../../../console/process/overview/state-progress-bar.ts';
import { chartView } from '../../../../engine/chart/chart-view.ts';
import { idleMachineOf } from '../../../../flows/language/machine/machine.ts';
import { readFlowFile } from '../../../../flows/language/reading/read-flow-file.ts';
import { namesForTests } from '../../../flows/language/names.ts';

function chartOf(text: string) {
  const { file, findings } = readFlowFile(text, namesForTests);
  expect(findings).toEqual([]);
  if (!file) throw new Error('no file');
  return chartView(idleMachineOf(file));
}

const repair = chartOf(`
name: Repair
meaning: A device is looked at, perhaps repaired, and given back.
initial: asked
states:
  asked:
    title: Looked at
    invoke: { src: ask, input: { of: desk, question: "Whole?", fields: { whole: { type: yesNo } } }, onDone: [ { guard: "\${event.output.whole}", target: givenBack }, { target: inRepair } ], onError: lost }
  inRepair:
    initial: waitsForParts
    on: { repaired: givenBack }
    states:
      waitsForParts: { after: { P3D: bench }, on: { parts: bench } }
      bench: { title: On the bench }
  givenBack: { on: { taken: over } }
  over: { type: final }
  lost: { type: final }
`);

const shown = (parts: Partial<StateProgressBarParts>) =>
  stateProgressBar({
    chart: repair,
    active: [''],
    timers: [],
    ended: undefined,
    isHalted: false,
    ...parts,
  }).map(({ title, stages }) => [title, ...stages.map((each) => `${each.status} ${each.title}`)]);

test('the present state stands between those that are over and those that may come, the nearest first', () => {
  expect(shown({ active: ['', 'asked'] })).toEqual([
    [null, 'present Looked at', 'future Given back', 'future In repair', 'future Over'],
  ]);
  expect(shown({ active: ['', 'givenBack'] })).toEqual([
    // Whether it was in repair is not known.
    [null, 'past Looked at', 'present Given back', 'future Over'],
  ]);
});

test('the states within the present one are a lane of their own in its place, with the deadline that runs', () => {
  const until = '2031-05-01T12:00:00.000Z';
  const parts = {
    active: ['', 'inRepair', 'inRepair.waitsForParts'],
    timers: [{ state: 'inRepair.waitsForParts', event: 'after P3D', after: 'P3D', until }],
  };
  expect(shown(parts)).toEqual([
    [null, 'past Looked at'],
    ['In repair', 'present Waits for parts', 'future On the bench'],
    [null, 'future Given back', 'future Over'],
  ]);
  const [, within] = stateProgressBar({ chart: repair, ended: undefined, isHalted: false, ...parts });
  expect(within?.stages.map((each) => each.until)).toEqual([until, null]);
});

test('the ends that it may come to stand last, as one', () => {
  const chart = chartOf(`
name: Approval
meaning: A cost is approved or not.
initial: asked
states:
  asked: { on: { yes: granted, no: refused, later: postponed } }
  granted: { type: final, title: Granted }
  refused: { type: final, title: Refused }
  postponed: { title: Postponed, on: { again: asked } }
`);
  expect(shown({ chart, active: ['', 'asked'] })).toEqual([
    [null, 'present Asked', 'future Postponed', 'future Granted or Refused'],
  ]);
});

test('one that has ended well has no present and no future; one that failed says where', () => {
  expect(shown({ active: ['', 'over'], ended: 'well' })).toEqual([
    [null, 'past Looked at', 'past Given back', 'past Over'],
  ]);
  expect(shown({ active: ['', 'givenBack'], ended: 'badly' })).toEqual([
    [null, 'past Looked at', 'failed Given back'],
  ]);
  expect(shown({ active: ['', 'asked'], isHalted: true })[0]?.[1]).toBe('failed Looked at');
});

test('a way by a failure makes only the beginning certain', () => {
  expect(shown({ active: ['', 'lost'] })).toEqual([[null, 'past Looked at', 'past Lost']]);
});

test('each region of a parallel state is a lane', () => {
  const chart = chartOf(`
name: Rounds
meaning: A key is given out while somebody listens.
type: parallel
states:
  key: { initial: kept, states: { kept: { on: { out: lent } }, lent: { on: { back: kept } } } }
  listening: { on: { heard: {} } }
`);
  expect(
    shown({
      chart,
      active: ['', 'key', 'key.lent', 'listening'],
    }),
  ).toEqual([
    ['Key', 'past Kept', 'present Lent'],
    ['Listening', 'present Listening'],
  ]);
});
