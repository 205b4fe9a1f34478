// A chart as a picture: every state, and every transition as an arrow or, if the state does not change, as text in its
// box.
import type { IState, ITransition } from 'state-machine-cat';
import type { Arrow, Drawing, DrawnState, Path } from './drawing.ts';

export async function svg({ root, arrows }: Drawing): Promise<string> {
  // Graphviz as WebAssembly: only where a picture is drawn.
  const { render } = await import('state-machine-cat');
  const all = [...beginnings(root), ...arrows];
  const drawing = { states: [drawn(root, arrows)], transitions: all.flatMap(transition) };
  return await render(JSON.stringify(drawing), { inputType: 'json', outputType: 'svg' });
}

/** The root has an empty path, and yet a name. */
const nameOf = (path: Path) => (path.length === 0 ? 'root' : path.join('.'));
const BEGINNING = '(begins)';

function drawn(state: DrawnState, arrows: readonly Arrow[]): IState {
  const name = nameOf(state.path);
  const stays = arrows.filter(({ from, to }) => to === null && nameOf(from) === name);
  const tags = state.tags.length > 0 ? ` (${state.tags.join(', ')})` : '';
  const states = [...beginning(state), ...state.children.map((child) => drawn(child, arrows))];
  return {
    name,
    label: `${state.path.at(-1) ?? 'flow'}${tags}`,
    type: state.kind === 'parallel' ? 'parallel' : 'regular',
    typeExplicitlySet: true,
    ...(state.kind === 'final' ? { color: 'darkgreen' } : {}),
    actions: stays.map(({ words }) => ({ type: 'activity', body: words })),
    ...(states.length > 0 ? { statemachine: { states } } : {}),
  };
}

function beginning({ initial, path }: DrawnState): IState[] {
  if (initial === null) return [];
  return [{ name: nameOf([...path, BEGINNING]), type: 'initial', typeExplicitlySet: true }];
}

function beginnings({ initial, path, children }: DrawnState): Arrow[] {
  const inner = children.flatMap(beginnings);
  if (initial === null) return inner;
  return [{ from: [...path, BEGINNING], to: [...path, initial], words: '' }, ...inner];
}

function transition({ from, to, words }: Arrow, id: number): ITransition[] {
  return to === null ? [] : [{ id, from: nameOf(from), to: nameOf(to), label: words }];
}
