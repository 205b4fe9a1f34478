// The picture of a chart in the console, of each built-in flow and of each example of a flow file: it can be read on a page
// of 1,280 pixels, has each state in which a process can be, and is always laid out alike.
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { soundFile } from '../../../client/command-line/flow-file-text.ts';
import { drawingOfChart } from '../../../console/process/chart-drawing.ts';
import { joinedBy } from '../../../console/process/laid-out.ts';
import { type ChartView, chartView, positionOf } from '../../../engine/chart/chart-view.ts';
import { type Drawing, drawingOf } from '../../../engine/chart/drawing.ts';
import { layoutOf } from '../../../engine/chart/layout.ts';
import { svgOf } from '../../../engine/chart/svg.ts';
import { idleMachineOf } from '../../../flows/language/machine/machine.ts';
import { charts } from '../../../workflows/charts.ts';
import { faultsOf, pictureOf } from '../../engine/measured-picture.ts';
import { spreadOf } from '../../support/suite.ts';
import { definitionOf } from '../../workflows/playing.ts';
import { recordings } from '../../workflows/recording/recordings.ts';

const examples = new URL('../../../docs/examples/flow-files/', import.meta.url);
const files = (await readdir(examples, { recursive: true })).filter((file) => file.endsWith('.flow.yaml'));

async function viewOfExample(path: string): Promise<ChartView> {
  const file = await soundFile(fileURLToPath(new URL(path, examples)));
  return chartView(idleMachineOf(file));
}

const views: [string, () => Promise<ChartView>][] = [
  ...Object.keys(charts).map((flow): [string, () => Promise<ChartView>] => [
    flow,
    async () => chartView(definitionOf(flow).machine),
  ]),
  ...files.map((path): [string, () => Promise<ChartView>] => [path, () => viewOfExample(path)]),
];

const LETTER = 7.3;

describe.each(spreadOf(views, 5))('the picture of %s', (_name, viewed) => {
  let laidOut: ReturnType<typeof drawingOfChart> | undefined;
  const picture = () => (laidOut ??= viewed().then(drawingOfChart));
  let first: ReturnType<typeof layoutOf> | undefined;
  const layout = (drawing: Drawing) => (first ??= layoutOf(drawing));

  test('has nothing that overlaps, is cut or is too small', async () => {
    const drawing = drawingOf(await viewed(), { hasRoom: true });
    expect(faultsOf(pictureOf(svgOf(drawing, await layout(drawing))))).toEqual([]);
  });

  test('has room for a count beside each name, and for the time that is left', async () => {
    const view = await viewed();
    const { states } = await picture();
    const timed = new Set(
      view.transitions.filter(({ event }) => event.startsWith('after ')).map(({ from }) => from),
    );
    for (const { path, label, width, height, hasStates } of states) {
      expect(width, path).toBeGreaterThan((label.length + 5) * LETTER);
      if (!timed.has(path)) continue;
      const wanted = hasStates ? label.length + 20 : 16;
      expect(width, path).toBeGreaterThan(wanted * LETTER);
      expect(height, path).toBeGreaterThan(40);
    }
  });

  test('has each state once, and a line for each transition between two states of a chart', async () => {
    const view = await viewed();
    const { states, lines } = await picture();
    expect(states.map(({ path }) => path).toSorted()).toEqual(view.states.map(({ path }) => path).toSorted());
    const kinds = new Map(view.states.map(({ path, kind }) => [path, kind]));
    for (const { from, to } of view.transitions)
      for (const target of to) {
        const joins = joinedBy(from.split('.'), target.split('.'));
        const [left = '', right = ''] = joins.split('>');
        const outer = left.split('.').slice(0, -1).join('.');
        // Within one state, or from region to region, there is no line.
        if (left === right || from === '' || kinds.get(outer) === 'parallel' || !sameDepth(left, right))
          continue;
        expect(lines.map((line) => line.joins)).toContain(joins);
      }
  });

  test('is laid out alike each time', async () => {
    const drawing = drawingOf(await viewed(), { hasRoom: true });
    expect(JSON.stringify(await layoutOf(drawing))).toBe(JSON.stringify(await layout(drawing)));
  });
});

const sameDepth = (one: string, other: string) => one.split('.').length === other.split('.').length;

test('every state in which a recorded process ever was is in the picture of its flow', async () => {
  const recorded = await recordings();
  expect(recorded.length).toBeGreaterThan(50);
  const flows = spreadOf(Object.keys(charts), 4);
  const newest = recorded.filter(({ name }) => flows.includes(flowOf(name)));
  const drawnOf = new Map<string, Set<string>>();
  for (const flow of new Set(newest.map(({ name }) => flowOf(name)))) {
    const { states } = await drawingOfChart(chartView(definitionOf(flow).machine));
    drawnOf.set(flow, new Set(states.map(({ path }) => path)));
  }
  for (const { name, recording } of newest) {
    const drawn = drawnOf.get(flowOf(name));
    for (const { value } of recording.trace)
      for (const path of activeIn(value)) expect(drawn, `${name}: ${path}`).toContain(path);
  }
});

const flowOf = (name: string): string => name.split('@')[0] ?? '';
const activeIn = (value: unknown) =>
  positionOf({ value, status: 'done' } as unknown as Parameters<typeof positionOf>[0]).active;
