// A chart as a picture: every state as a box, one arrow for all transitions between two states. The words of each transition
// (event, condition, actions) show when one points at its arrow; those that do not leave their state, at the state.
import type { Arrow, Drawing, DrawnState } from './drawing.ts';
import {
  FONT_SIZE,
  LABEL_LINE,
  LABEL_SCALE,
  type Layout,
  layoutOf,
  type PlacedArrow,
  type PlacedState,
} from './layout.ts';

export async function svg(drawing: Drawing): Promise<string> {
  return svgOf(drawing, await layoutOf(drawing));
}

/** Where a process is on its chart. */
export interface Marks {
  /** The paths of the states in which it is. */
  readonly active: readonly string[];
  /** The transitions that it may take next: `<path>><path>`. */
  readonly next: ReadonlySet<string>;
  readonly sign: keyof typeof signs;
}

/** Not by colour alone: in the corner of the innermost states. */
const signs = { now: '●', ended: '■', failed: '✗' };

const MARGIN = 6;

export function svgOf(
  { root, arrows }: Drawing,
  { width, height, ...placed }: Layout,
  marks?: Marks,
): string {
  const size = { width: Math.ceil(width) + 2 * MARGIN, height: Math.ceil(height) + 2 * MARGIN };
  const staying = stayingIn(root, arrows);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-MARGIN} ${-MARGIN} ${size.width} ${size.height}"` +
      ` width="${size.width}" height="${size.height}" role="img" font-family="ui-monospace, monospace" font-size="${FONT_SIZE}">`,
    `<style>\n${STYLE}${marks ? MARK_STYLE : ''}</style>`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">' +
      '<path class="head" d="M0,0 L8,4 L0,8 z"/></marker></defs>',
    ...placed.states.map((state) => stateOf(state, staying.get(state.state.path.join('.')) ?? [], marks)),
    ...placed.beginnings.map(
      ({ x, y }) => `<circle class="begins" cx="${round(x)}" cy="${round(y)}" r="4"/>`,
    ),
    ...placed.arrows.map((arrow) => arrowOf(arrow, marks)),
    '</svg>\n',
  ].join('\n');
}

// Colours of their own, so that a page can give others; and of both colour schemes, since a picture may stand on either.
const STYLE = `svg { color: #1c2430; --box: #ffffff; --region: #f4f6f9; --line: #8894a6; --final: #2e7d4f; }
@media (prefers-color-scheme: dark) { svg { color: #e6eaf0; --box: #1d242e; --region: #151a21; --line: #6d7a8c; --final: #6fc494; } }
.state rect { fill: var(--box); stroke: var(--line); }
.state.has-states rect { fill: var(--region); }
.state.final rect { stroke: var(--final); stroke-width: 2; }
.state text, .arrow text { fill: currentColor; }
.arrow path { fill: none; stroke: var(--line); }
.head, .begins { fill: var(--line); }
`;

const MARK_STYLE = `.active > rect { stroke: #2f6fde; stroke-width: 2.5; }
.active > text { font-weight: 700; }
.failed > rect { stroke: #d0463b; }
.next path { stroke: currentColor; stroke-dasharray: 4 3; }
`;

function stateOf(
  { state, label, x, y, width, height }: PlacedState,
  staying: readonly Arrow[],
  marks?: Marks,
): string {
  const path = state.path.join('.');
  const hasStates = state.children.length > 0;
  const isActive = marks?.active.includes(path) === true;
  const kinds = [
    'state',
    hasStates && 'has-states',
    state.kind === 'final' && 'final',
    isActive && 'active',
    isActive && marks.sign === 'failed' && 'failed',
  ].filter(Boolean);
  const [left, base] = [round(x + 12), round(y + (hasStates ? 19 : height / 2 + 4))];
  return [
    `<g class="${kinds.join(' ')}" data-path="${escaped(path)}">${titleOf(staying)}`,
    `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="5"/>`,
    `<text x="${left}" y="${base}">${escaped(label)}</text>`,
    isActive && !hasStates
      ? `<text x="${round(x + width - 3)}" y="${round(y + 11)}" font-size="10" text-anchor="end">${signs[marks.sign]}</text>`
      : '',
    '</g>',
  ].join('');
}

function arrowOf({ points, arrows, label }: PlacedArrow, marks?: Marks): string {
  const line = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)},${round(y)}`).join(' ');
  const [first] = arrows;
  const ends = first
    ? ` data-from="${escaped(first.from.join('.'))}" data-to="${escaped(first.to?.join('.') ?? '')}"`
    : '';
  const text = (label?.lines ?? []).map((each, index) => {
    const [left, base] = [round(label?.x ?? 0), round((label?.y ?? 0) + index * LABEL_LINE + 10.5)];
    return `<text x="${left}" y="${base}" font-size="${FONT_SIZE * LABEL_SCALE}">${escaped(each)}</text>`;
  });
  const isNext = arrows.some(({ from, to }) => to && marks?.next.has(`${from.join('.')}>${to.join('.')}`));
  return `<g class="${isNext ? 'arrow next' : 'arrow'}"${ends}>${titleOf(arrows)}<path d="${line}" marker-end="url(#head)"/>${text.join('')}</g>`;
}

const titleOf = (arrows: readonly Arrow[]): string => {
  const lines = arrows.flatMap(({ words }) => (words === '' ? [] : [words]));
  return lines.length === 0 ? '' : `<title>${escaped(lines.join('\n'))}</title>`;
};

/** By path: what a state takes without being left, or takes for all states within it. One to itself is an arrow. */
function stayingIn(state: DrawnState, arrows: readonly Arrow[]): Map<string, Arrow[]> {
  const path = state.path.join('.');
  const isWithin = (to: readonly string[]) => path === '' || to.join('.').startsWith(`${path}.`);
  const own = arrows.filter(({ from, to }) => from.join('.') === path && (to === null || isWithin(to)));
  return new Map([[path, own], ...state.children.flatMap((child) => [...stayingIn(child, arrows)])]);
}

const round = (value: number): number => Math.round(value * 10) / 10;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What no XML may hold, in any spelling: a browser shows nothing of a picture that has it. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const escaped = (text: string): string =>
  text.replaceAll(NOT_XML, '\ufffd').replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
