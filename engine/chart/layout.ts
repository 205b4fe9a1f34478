// Where each state and arrow of a chart stands in its picture. elkjs places the states of one state as layers; regions of a
// parallel state stand in rows. The same chart is always laid out alike.
import type { ELK, ElkExtendedEdge, ElkNode, ElkPoint } from 'elkjs/lib/elk-api.js';
import type { Arrow, Drawing, DrawnState, Path } from './drawing.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedState extends Box {
  readonly state: DrawnState;
  readonly label: string;
}

export interface PlacedArrow {
  readonly points: readonly ElkPoint[];
  /** What the arrow stands for: all transitions between the same two states. Empty: the beginning. */
  readonly arrows: readonly Arrow[];
  /** One below the other. */
  readonly label: (Box & { readonly lines: readonly string[] }) | null;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Each before those within it. */
  readonly states: readonly PlacedState[];
  readonly arrows: readonly PlacedArrow[];
  /** Middles of the dots where a state begins. */
  readonly beginnings: readonly ElkPoint[];
}

/** The width of a letter in the monospaced font of the drawings, at FONT_SIZE. */
const CHARACTER_WIDTH = 7.3;
export const FONT_SIZE = 12;
const LINE = 28;
const PADDING = 12;
const HEADER = 30;
const GAP = 14;
const DOT = 10;
export const LABEL_LINE = 14;
/** Rows of regions are as wide as a page of 1,280 pixels lets them be. */
const ROW_WIDTH = 1_060;
const LONGEST_LABEL = 36;
const LONGEST_TITLE = 40;
/** Lines of a label; of more events the rest is counted. */
const MOST_LINES = 3;

const layered = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.spacing.nodeNode': '16',
  'elk.layered.spacing.nodeNodeBetweenLayers': '24',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '7',
  'elk.layered.spacing.edgeNodeBetweenLayers': '9',
  'elk.spacing.edgeNode': '9',
  'elk.spacing.edgeEdge': '7',
  // As the file has its states, from the first one on.
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.padding': `[top=${HEADER},left=${PADDING},bottom=${PADDING},right=${PADDING}]`,
};

// The network simplex takes minutes for some 900 arrows, Brandes and Köpf's way some seconds; its pictures are wider.
const MAX_FOR_SIMPLEX = 120;
const quick = { 'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF' };

/** The layout of a state and everything within it, from the state's own corner. */
type Part = Layout;

export async function layoutOf({ root, arrows }: Drawing): Promise<Layout> {
  // A compiled Java program of 1.5 MB: only where a picture is drawn.
  const { default: bundled } = await import('elkjs/lib/elk.bundled.js');
  // It is a CommonJS module, whose types say otherwise.
  const Layouter = bundled as unknown as new () => ELK;
  return await placed(root, arrows, new Layouter());
}

async function placed(state: DrawnState, arrows: readonly Arrow[], elk: ELK): Promise<Part> {
  const label = labelOf(state);
  const width = label.length * CHARACTER_WIDTH + 2 * PADDING;
  if (state.children.length === 0) return alone(state, label, width);
  const inner: Part[] = [];
  for (const child of state.children) inner.push(await placed(child, arrows, elk));
  const part =
    state.kind === 'parallel'
      ? inRows(inner)
      : await inLayers(state, inner, arrowsBetween(state, arrows), elk);
  const own = { state, label, x: 0, y: 0, width: Math.max(part.width, width), height: part.height };
  return { ...part, width: own.width, states: [own, ...part.states] };
}

const alone = (state: DrawnState, label: string, width: number): Part => ({
  width,
  height: LINE,
  arrows: [],
  beginnings: [],
  states: [{ state, label, x: 0, y: 0, width, height: LINE }],
});

function labelOf({ path, title, tags }: DrawnState): string {
  const name = shortened(title ?? path.at(-1) ?? 'the flow', LONGEST_TITLE);
  return tags.length > 0 ? `${name} (${tags.join(', ')})` : name;
}

function inRows(parts: readonly Part[]): Part {
  let [x, y, rowHeight, width] = [PADDING, HEADER, 0, 0];
  const moved = parts.map((part) => {
    if (x > PADDING && x + part.width + PADDING > ROW_WIDTH) {
      y += rowHeight + GAP;
      x = PADDING;
      rowHeight = 0;
    }
    const there = movedTo(part, x, y);
    rowHeight = Math.max(rowHeight, part.height);
    width = Math.max(width, x + part.width + PADDING);
    x += part.width + GAP;
    return there;
  });
  return { ...together(moved), width, height: y + rowHeight + PADDING };
}

async function inLayers(
  state: DrawnState,
  parts: readonly Part[],
  between: ReadonlyMap<string, readonly Arrow[]>,
  elk: ELK,
): Promise<Part> {
  const { path, children, initial } = state;
  const boxes = children.map(({ path: inner }, index) => ({
    id: inner.at(-1) ?? '',
    width: parts[index]?.width ?? 0,
    height: parts[index]?.height ?? 0,
  }));
  const begins = initial === null ? [] : [{ id: BEGINNING, sources: [BEGINNING], targets: [initial] }];
  const dot = initial === null ? [] : [{ id: BEGINNING, width: DOT, height: DOT }];
  // Many arrows share their lines where they leave one state, or come to one.
  const isDense = between.size > 2 * children.length;
  const graph: ElkNode = await elk.layout({
    id: path.join('.'),
    layoutOptions: {
      ...layered,
      ...(between.size > MAX_FOR_SIMPLEX && quick),
      'elk.layered.mergeEdges': String(isDense),
    },
    children: [...dot, ...boxes],
    edges: [...begins, ...[...between].map(([id, merged]) => edge(id, merged))],
  });
  const places = new Map(graph.children?.map((each) => [each.id, each]));
  const moved = children.map((child, index) => {
    const { x = 0, y = 0 } = places.get(child.path.at(-1) ?? '') ?? {};
    return movedTo(parts[index] as Part, x, y);
  });
  const inner = together(moved);
  return {
    width: graph.width ?? 0,
    height: graph.height ?? 0,
    states: inner.states,
    arrows: [...inner.arrows, ...(graph.edges ?? []).map((each) => placedArrow(each, between))],
    beginnings: [...inner.beginnings, ...middleOf(places.get(BEGINNING))],
  };
}

const BEGINNING = ' begins';
const SEPARATOR = ' > ';

function edge(id: string, merged: readonly Arrow[]): ElkExtendedEdge {
  const [from = '', to = ''] = id.split(SEPARATOR);
  const lines = labelLines(merged, to);
  const longest = Math.max(...lines.map(({ length }) => length));
  const size = { width: longest * CHARACTER_WIDTH * LABEL_SCALE, height: lines.length * LABEL_LINE };
  return {
    id,
    sources: [from],
    targets: [to],
    labels: lines.length === 0 ? [] : [{ text: lines.join('\n'), ...size }],
  };
}

/** Labels of arrows are written smaller. */
export const LABEL_SCALE = 0.85;

/** Their events, but for one that says only where the arrow leads to: `issue.Completed`. */
function labelLines(arrows: readonly Arrow[], to: string): readonly string[] {
  const events = [...new Set(arrows.map(({ label }) => label))];
  const telling = events.filter((event) => event !== '' && event.split('.').at(-1) !== to);
  const shown = telling.length > MOST_LINES ? telling.slice(0, MOST_LINES - 1) : telling;
  const more = telling.length - shown.length;
  return [
    ...shown.map((event) => shortened(event, LONGEST_LABEL)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text;

function placedArrow(
  { id, sections = [], labels = [] }: ElkExtendedEdge,
  between: ReadonlyMap<string, readonly Arrow[]>,
): PlacedArrow {
  const [section] = sections;
  const [label] = labels;
  return {
    points: section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [],
    arrows: between.get(id) ?? [],
    label: label
      ? {
          lines: (label.text ?? '').split('\n'),
          x: label.x ?? 0,
          y: label.y ?? 0,
          width: label.width ?? 0,
          height: label.height ?? 0,
        }
      : null,
  };
}

/** The arrows between two states directly within this one, or from within the one to within the other; and from one to itself. */
function arrowsBetween({ path }: DrawnState, arrows: readonly Arrow[]): Map<string, Arrow[]> {
  const between = new Map<string, Arrow[]>();
  for (const arrow of arrows) {
    const from = childOn(path, arrow.from);
    const to = arrow.to && childOn(path, arrow.to);
    // What begins and ends within one of them is drawn there.
    const isOfOne = from === to && !(isLoop(arrow) && arrow.from.length === path.length + 1);
    if (!from || !to || isOfOne) continue;
    const id = `${from}${SEPARATOR}${to}`;
    between.set(id, [...(between.get(id) ?? []), arrow]);
  }
  return between;
}

const isLoop = ({ from, to }: Arrow): boolean => to !== null && from.join('.') === to.join('.');

/** The key of the state directly within `outer` that is, or has, `inner`. */
const childOn = (outer: Path, inner: Path): string | undefined =>
  outer.every((key, index) => inner[index] === key) ? inner[outer.length] : undefined;

const moved = <Place extends { readonly x: number; readonly y: number }>(
  place: Place,
  x: number,
  y: number,
): Place => ({
  ...place,
  x: place.x + x,
  y: place.y + y,
});

const movedTo = (part: Part, x: number, y: number): Part => ({
  ...part,
  states: part.states.map((each) => moved(each, x, y)),
  arrows: part.arrows.map(({ points, arrows, label }) => ({
    points: points.map((point) => moved(point, x, y)),
    arrows,
    label: label && moved(label, x, y),
  })),
  beginnings: part.beginnings.map((point) => moved(point, x, y)),
});

const together = (parts: readonly Part[]): Pick<Part, 'states' | 'arrows' | 'beginnings'> => ({
  states: parts.flatMap(({ states }) => states),
  arrows: parts.flatMap(({ arrows }) => arrows),
  beginnings: parts.flatMap(({ beginnings }) => beginnings),
});

function middleOf(node: ElkNode | undefined): ElkPoint[] {
  return node ? [{ x: (node.x ?? 0) + DOT / 2, y: (node.y ?? 0) + DOT / 2 }] : [];
}
