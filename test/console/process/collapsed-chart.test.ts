// What is left out of a chart at first: the states within those in which the process is not.
import { expect, test } from 'vitest';
import { drawingOfChart, linesOf } from '../../../console/process/chart-drawing.ts';
import { collapsedChart } from '../../../console/process/collapsed-chart.ts';
import { chartView } from '../../../engine/chart/chart-view.ts';
import { idleMachineOf } from '../../../flows/language/machine/machine.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { namesForTests } from '../../flows/language/names.ts';

const { file } = readFlowFile(
  `
name: Loan
meaning: A device is lent, and looked at when it is back.
initial: lent
states:
  lent:
    initial: waiting
    on: { back: checked }
    states:
      waiting: { on: { taken: withUser } }
      withUser: { on: { reported: '#closely' } }
  checked:
    initial: quickly
    states:
      quickly: { on: { doubt: closely } }
      closely: { id: closely, on: { whole: '#over' } }
  over: { id: over, type: final }
`,
  namesForTests,
);
if (!file) throw new Error('no file');
const chart = chartView(idleMachineOf(file));

const shown = (active: readonly string[]) => collapsedChart(chart, active);

test('the states within the present one are there, those within others are not', () => {
  expect(shown(['', 'lent', 'lent.waiting']).states.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
    ' compound',
    'lent compound',
    'lent.waiting atomic',
    'lent.withUser atomic',
    'checked atomic',
    'over final',
  ]);
  const { transitions } = shown(['', 'lent', 'lent.waiting']);
  expect(transitions.map(({ from, to, event }) => `${from} ${event} ${to.join()}`)).toEqual([
    'lent back checked',
    'lent.waiting taken lent.withUser',
    'lent.withUser reported checked',
    'checked whole over',
  ]);
});

test('a chart of which nothing is left out is the same one, and one with less can be drawn', async () => {
  expect(shown(['', 'lent', 'checked'])).toBe(chart);
  const active = ['', 'checked', 'checked.closely'];
  const drawing = await drawingOfChart(shown(active));
  expect(drawing.states.map(({ path }) => path)).toEqual([
    '',
    'lent',
    'checked',
    'checked.quickly',
    'checked.closely',
    'over',
  ]);
  // The lines that the process took are those of the whole chart.
  const taken = chart.transitions.filter(({ event }) => event === 'back' || event === 'doubt');
  const joins = drawing.lines.map((each) => each.joins);
  for (const line of linesOf(taken)) expect(joins).toContain(line);
});
