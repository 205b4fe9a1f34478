// A chart as states and arrows, for those who draw it. Every transition is an arrow, with the words beside it.

/** The keys from the root of the chart on; the root's own is empty. */
export type Path = readonly string[];

export interface DrawnState {
  readonly path: Path;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly initial: string | null;
  readonly tags: readonly string[];
  readonly children: readonly DrawnState[];
}

export interface Arrow {
  readonly from: Path;
  /** Null: the state stays as it is, and only the actions are carried out. */
  readonly to: Path | null;
  readonly words: string;
}

export interface Drawing {
  readonly root: DrawnState;
  readonly arrows: readonly Arrow[];
}

/** What is said beside an arrow: what happens, under which condition, and what is done. */
export function wordsOfArrow(
  event: string,
  guard: string,
  actions: readonly string[],
  isAnew: boolean,
): string {
  return [
    event,
    guard === '' ? '' : `[${guard}]`,
    actions.length > 0 ? `/ ${actions.join(', ')}` : '',
    isAnew ? '(anew)' : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}
