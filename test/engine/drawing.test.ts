// The picture of a chart can be read on a page of 1,280 pixels, measured from the SVG itself: for each built-in flow, for each
// example of a flow file, and for charts that are hard to draw.
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { soundFile } from '../../client/command-line/flow-file-text.ts';
import { drawingOfFlow } from '../../docs/flow-charts.ts';
import { chartView } from '../../engine/chart/chart-view.ts';
import { type Drawing, type DrawnState, drawingOf } from '../../engine/chart/drawing.ts';
import { svg } from '../../engine/chart/svg.ts';
import { idleMachineOf } from '../../flows/language/machine/machine.ts';
import { charts } from '../../workflows/charts.ts';
import { spreadOf } from '../support/suite.ts';
import { faultsOf, pictureOf } from './measured-picture.ts';

const examples = new URL('../../docs/examples/flow-files/', import.meta.url);
const files = (await readdir(examples, { recursive: true })).filter((file) => file.endsWith('.flow.yaml'));

const drawingOfExample = async (path: string): Promise<Drawing> =>
  drawingOf(chartView(idleMachineOf(await soundFile(fileURLToPath(new URL(path, examples))))));

const state = (path: readonly string[], children: readonly DrawnState[] = []): DrawnState => ({
  path,
  initial: children[0]?.path.at(-1) ?? null,
  tags: [],
  children,
  kind: children.length > 0 ? 'compound' : 'atomic',
});

const many = Array.from({ length: 12 }, (_, index) => `step${index}`);

const hard: Record<string, Drawing> = {
  'each of 12 states to each other': {
    root: state(
      [],
      many.map((name) => state([name])),
    ),
    arrows: many.flatMap((from) => many.map((to) => ({ from: [from], to: [to], words: `to.${to}` }))),
  },
  'long names and words, and signs of XML': {
    root: state([], [state(['a'.repeat(60)]), state(['<b> & "c"'])]),
    arrows: [{ from: ['a'.repeat(60)], to: ['<b> & "c"'], words: `${'event '.repeat(40)}[x < "y"] / act` }],
  },
};

const drawings: [string, () => Drawing | Promise<Drawing>][] = [
  ...Object.entries(charts).map(([flow, chart]): [string, () => Drawing] => [
    flow,
    () => drawingOfFlow(chart),
  ]),
  ...files.map((path): [string, () => Promise<Drawing>] => [path, () => drawingOfExample(path)]),
  ...Object.entries(hard).map(([name, drawing]): [string, () => Drawing] => [name, () => drawing]),
];

describe.each(spreadOf(drawings, 4))('the picture of %s', (name, drawing) => {
  let laidOut: Promise<string> | undefined;
  const picture = () => (laidOut ??= Promise.resolve(drawing()).then(svg));

  test('has nothing that overlaps, is cut or is too small', async () => {
    const faults = faultsOf(pictureOf(await picture()));
    expect(name in hard ? faults.filter((fault) => !fault.startsWith('it is')) : faults).toEqual([]);
  });

  test('is the same each time', async () => {
    expect(await svg(await drawing())).toBe(await picture());
  });

  test('has each state once, and an arrow for each two states with a transition', async () => {
    const { root } = await drawing();
    const { states, lines } = pictureOf(await picture());
    const paths = (each: DrawnState): string[] => [each.path.join('.'), ...each.children.flatMap(paths)];
    expect(states.map((each) => each.name.replaceAll(/&\w+;/g, '.')).toSorted()).toEqual(
      paths(root)
        .map((path) => path.replaceAll(/[&<>"]/g, '.'))
        .toSorted(),
    );
    expect(lines.length).toBeGreaterThan(0);
    for (const { points } of lines) expect(points.length).toBeGreaterThan(1);
  });
});
