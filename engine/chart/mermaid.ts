// A chart as a Mermaid state diagram. Mermaid cannot draw two kinds of transition as arrows, so they are text in the
// state's box: those that do not leave the state, and those of every state of a region.
import type { Arrow, Drawing, DrawnState, Path } from './drawing.ts';

export function mermaid({ root, arrows }: Drawing): string {
  return ['stateDiagram-v2', ...inside(root, arrows, '  '), ...anyState(root, arrows, '  ')].join('\n');
}

const idOf = (path: Path) => path.join('_');
/** Mermaid ends a label at a semicolon, and takes a colon for its beginning. */
const label = (words: string) => words.replaceAll(/[;:]/g, ',');
const nameOf = ({ path }: DrawnState) => path.at(-1) ?? '';
const labelOf = ({ words }: Arrow) => label(words);

function inside(state: DrawnState, arrows: readonly Arrow[], indent: string): string[] {
  if (state.kind === 'parallel')
    return state.children
      .map((region) => composite(region, arrows, indent))
      .flatMap((lines, index) => (index === 0 ? lines : [`${indent}--`, ...lines]));
  return [
    ...(state.initial === null ? [] : [`${indent}[*] --> ${idOf([...state.path, state.initial])}`]),
    ...state.children.flatMap((child) => one(child, arrows, indent)),
    ...state.children.flatMap((child) => ways(child, arrows, indent)),
  ];
}

function one(state: DrawnState, arrows: readonly Arrow[], indent: string): string[] {
  if (state.children.length > 0) return composite(state, arrows, indent);
  const id = idOf(state.path);
  const tags = state.tags.length > 0 ? ` (${state.tags.join(', ')})` : '';
  return [
    `${indent}${id}: ${nameOf(state)}${tags}`,
    ...staying(state, arrows).map((each) => `${indent}${id}: ${labelOf(each)}`),
  ];
}

function composite(state: DrawnState, arrows: readonly Arrow[], indent: string): string[] {
  const id = idOf(state.path);
  const within = `${indent}  `;
  return [
    `${indent}state "${nameOf(state)}" as ${id} {`,
    ...inside(state, arrows, within),
    ...anyState(state, arrows, within),
    `${indent}}`,
  ];
}

/** The arrows to other states, and the end of a final one. */
function ways(state: DrawnState, arrows: readonly Arrow[], indent: string): string[] {
  const id = idOf(state.path);
  return [
    ...arrows
      .filter(({ from, to }) => to && idOf(from) === id && !isWithin(from, to))
      .map((each) => `${indent}${id} --> ${idOf(each.to ?? [])}${labelOf(each) && `: ${labelOf(each)}`}`),
    ...(state.kind === 'final' ? [`${indent}${id} --> [*]`] : []),
  ];
}

const staying = ({ path }: DrawnState, arrows: readonly Arrow[]) =>
  arrows.filter(({ from, to }) => to === null && idOf(from) === idOf(path));

const isWithin = (outer: Path, inner: Path) =>
  inner.length > outer.length && outer.every((key, index) => inner[index] === key);

/** Events that every state of the region takes, in a separate box. */
function anyState(state: DrawnState, arrows: readonly Arrow[], indent: string): string[] {
  const own = arrows.filter(({ from }) => idOf(from) === idOf(state.path));
  const inward = own.filter(({ to }) => to && isWithin(state.path, to));
  const stays = staying(state, arrows);
  if (inward.length + stays.length === 0 || state.children.length === 0) return [];
  const id = [...state.path, 'any'].join('_');
  return [
    ...(state.kind === 'parallel' ? [`${indent}--`] : []),
    `${indent}${id}: in any state`,
    ...stays.map((each) => `${indent}${id}: ${labelOf(each)}`),
    ...inward.map((each) => `${indent}${id} --> ${idOf(each.to ?? [])}: ${labelOf(each)}`),
  ];
}
