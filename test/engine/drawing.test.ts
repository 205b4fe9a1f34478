// The picture of a chart can be read on a page of 1,280 pixels, measured from the SVG itself: for each built-in flow, for each
// example of a flow file, and for charts that are hard to draw.
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { soundFile } from '../../cli/flow-file-text.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { drawingOfFlow } from '../../docs/flow-charts.ts';
import { chartView } from '../../engine/chart/chart-view.ts';
import { type Arrow, type Drawing, type DrawnState, drawingOf } from '../../engine/chart/drawing.ts';
import { svg } from '../../engine/chart/svg.ts';
import { idleMachineOf } from '../../flows/language/machine/machine.ts';
import { eachSampled } from '../support/suite.ts';

const PAGE_WIDTH = 1_280;
const SMALLEST_LETTERS = 9;
/** As a share of the font's size, in the widest of the usual monospaced fonts. */
const LETTER_WIDTH = 0.605;

interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Point = readonly [number, number];

interface Picture {
  readonly width: number;
  readonly states: readonly Box[];
  readonly words: readonly Box[];
  readonly labels: readonly Box[];
  readonly lines: readonly { readonly name: string; readonly points: readonly Point[] }[];
}

function attributesOf(tag: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

function wordsOf(tag: string, text: string): Box {
  const { x, y, 'font-size': size = '12' } = attributesOf(tag);
  const letters = text.replaceAll(/&\w+;/g, '.').length;
  return {
    name: text,
    x: Number(x),
    width: letters * Number(size) * LETTER_WIDTH,
    y: Number(y) - Number(size) * 0.8,
    height: Number(size),
  };
}

function pictureOf(text: string): Picture {
  const groups = [...text.matchAll(/<g ([^>]*)>(.*?)<\/g>/gs)].map(([, tag = '', inner = '']) => ({
    attributes: attributesOf(tag),
    inner,
    words: [...inner.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, its = '', word = '']) =>
      wordsOf(its, word),
    ),
  }));
  const states = groups.filter(({ attributes }) => attributes.class?.startsWith('state'));
  const arrows = groups.filter(({ attributes }) => attributes.class?.startsWith('arrow'));
  return {
    width: Number(attributesOf(/<svg [^>]*>/.exec(text)?.[0] ?? '').width),
    states: states.map(({ attributes, inner }) => {
      const { x, y, width, height } = attributesOf(/<rect [^>]*>/.exec(inner)?.[0] ?? '');
      const [left, top] = [Number(x), Number(y)];
      return {
        name: attributes['data-path'] ?? '',
        x: left,
        y: top,
        width: Number(width),
        height: Number(height),
      };
    }),
    words: states.flatMap(({ words }) => words),
    labels: arrows.flatMap(({ words }) => words),
    lines: arrows.map(({ attributes, inner }) => ({
      name: `${attributes['data-from']} > ${attributes['data-to']}`,
      points: [...(/ d="([^"]*)"/.exec(inner)?.[1] ?? '').matchAll(/[ML]([\d.-]+),([\d.-]+)/g)].map(
        ([, x, y]): Point => [Number(x), Number(y)],
      ),
    })),
  };
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width - 0.5 &&
  b.x < a.x + a.width - 0.5 &&
  a.y < b.y + b.height - 0.5 &&
  b.y < a.y + a.height - 0.5;

const holds = (outer: Box, inner: Box) =>
  inner.x >= outer.x - 0.5 &&
  inner.y >= outer.y - 0.5 &&
  inner.x + inner.width <= outer.x + outer.width + 0.5 &&
  inner.y + inner.height <= outer.y + outer.height + 0.5;

const isWithin = (outer: string, inner: string) => outer === '' || `${inner}.`.startsWith(`${outer}.`);

function segmentsOf(points: readonly Point[]): Box[] {
  return points.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = points[index] ?? [x, y];
    const [left, top] = [Math.min(x, fromX), Math.min(y, fromY)];
    return { name: '', x: left, y: top, width: Math.abs(x - fromX), height: Math.abs(y - fromY) };
  });
}

const crosses = (line: Box, box: Box) =>
  line.x < box.x + box.width - 1 &&
  line.x + line.width > box.x + 1 &&
  line.y < box.y + box.height - 1 &&
  line.y + line.height > box.y + 1;

/** Everything that would keep a person from reading it. */
function faultsOf(picture: Picture): string[] {
  const { states, words, labels, lines } = picture;
  const pairs = states.flatMap((a, index) => states.slice(index + 1).map((b) => [a, b] as const));
  const simple = states.filter(
    ({ name }) => !states.some((other) => other.name !== name && isWithin(name, other.name)),
  );
  return [
    ...pairs
      .filter(([a, b]) => (isWithin(a.name, b.name) ? !holds(a, b) : overlap(a, b)))
      .map(([a, b]) => `the boxes of ${a.name} and ${b.name} overlap`),
    ...states.flatMap((state, index) => {
      const text = words[index];
      return text && holds(state, text) ? [] : [`the words of ${state.name} are cut`];
    }),
    ...labels.flatMap((label) =>
      simple.filter((state) => overlap(label, state)).map((state) => `${label.name} lies on ${state.name}`),
    ),
    ...labels.flatMap((a, index) =>
      labels
        .slice(index + 1)
        .filter((b) => overlap(a, b))
        .map((b) => `${a.name} lies on ${b.name}`),
    ),
    ...lines.flatMap(({ name, points }) =>
      simple
        .filter((state) => segmentsOf(points).some((segment) => crosses(segment, state)))
        .map((state) => `the arrow ${name} crosses ${state.name}`),
    ),
    ...(12 * Math.min(1, PAGE_WIDTH / picture.width) < SMALLEST_LETTERS
      ? [`it is ${picture.width} pixels wide`]
      : []),
  ];
}

const examples = new URL('../../docs/examples/flow-files/', import.meta.url);
const files = (await readdir(examples, { recursive: true })).filter((file) => file.endsWith('.flow.yaml'));

const drawingOfExample = async (path: string): Promise<Drawing> =>
  drawingOf(chartView(idleMachineOf(await soundFile(fileURLToPath(new URL(path, examples))))));

const state = (path: readonly string[], children: readonly DrawnState[] = []): DrawnState => ({
  path,
  title: null,
  initial: children[0]?.path.at(-1) ?? null,
  tags: [],
  children,
  kind: children.length > 0 ? 'compound' : 'atomic',
});

const many = Array.from({ length: 12 }, (_, index) => `step${index}`);

const arrow = (from: string, to: string, label: string): Arrow => ({
  from: from.split('.'),
  to: to.split('.'),
  label,
  words: label,
});

const hard: Record<string, Drawing> = {
  'each of 12 states to each other': {
    root: state(
      [],
      many.map((name) => state([name])),
    ),
    arrows: many.flatMap((from) =>
      many.map((to) => ({ from: [from], to: [to], label: `to.${to}`, words: `to.${to}` })),
    ),
  },
  'long names and words, and signs of XML': {
    root: state([], [state(['a'.repeat(60)]), state(['<b> & "c"'])]),
    arrows: [
      {
        from: ['a'.repeat(60)],
        to: ['<b> & "c"'],
        label: 'event '.repeat(40),
        words: `${'event '.repeat(40)}[x < "y"] / act`,
      },
    ],
  },
  'titles, many events between two states, and loops': {
    root: state(
      [],
      [
        { ...state(['open']), title: `Waits for ${'a very long '.repeat(5)}time` },
        state(['closed'], [state(['closed', 'inner'])]),
      ],
    ),
    arrows: [
      ...['one', 'two', 'three', 'four', 'five'].map((label) => arrow('open', 'closed', label)),
      ...['again', 'once more'].map((label) => arrow('open', 'open', label)),
      arrow('closed', 'closed', 'anew'),
      arrow('closed.inner', 'closed.inner', 'restart'),
      arrow('closed', 'open', '[size == 0]'),
    ],
  },
};

const drawings: [string, () => Drawing | Promise<Drawing>][] = [
  ...flowTypes.map((flow): [string, () => Drawing] => [flow, () => drawingOfFlow(flow)]),
  ...files.map((path): [string, () => Promise<Drawing>] => [path, () => drawingOfExample(path)]),
  ...Object.entries(hard).map(([name, drawing]): [string, () => Drawing] => [name, () => drawing]),
];

eachSampled(
  describe,
  drawings,
  4,
)('the picture of %s', (name, drawing) => {
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

describe('what stands in the picture', () => {
  const textsIn = async (drawing: Drawing) =>
    [...(await svg(drawing)).matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

  test('is the titles of states, and the events of each arrow: three by name, of more the rest is counted', async () => {
    const texts = await textsIn(hard['titles, many events between two states, and loops'] as Drawing);
    expect(texts).toEqual(
      expect.arrayContaining(['one', 'two', 'and 3 more', 'again', 'once more', 'restart', '[size == 0]']),
    );
    expect(texts).toContainEqual(expect.stringMatching(/^Waits for a very long .*…$/));
    expect(texts).not.toContain('three');
  });

  test('is the condition, too, where one event leads to different states', async () => {
    const file = await soundFile(fileURLToPath(new URL('item-life.flow.yaml', examples)));
    const drawing = drawingOf(chartView(idleMachineOf(file)));
    const labels = drawing.arrows.map(({ label }) => label);
    expect(labels).toContain('whereabouts done [else]');
    expect(labels).toContainEqual(expect.stringMatching(/^whereabouts done \[has\(/));
    expect(labels).toContain('device.wanted');
    expect(await textsIn(drawing)).toContain('whereabouts failed');
  });
});
