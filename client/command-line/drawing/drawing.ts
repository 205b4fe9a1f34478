// A chart as states and arrows, for the drawings. Every transition is an arrow with a label.

/** The keys from the root of the chart; the root's path is empty. */
export type Path = readonly string[];

export interface DrawnState {
  readonly path: Path;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly initial: string | null;
  readonly tags: readonly string[];
  readonly children: readonly DrawnState[];
  /** Room for what a page knows at the moment, in letters. */
  readonly room?: Room;
}

export interface Room {
  /** After the name. */
  readonly beside: number;
  /** In a line of its own; only of a state without states. */
  readonly below: number;
}

export interface Arrow {
  readonly from: Path;
  /** Null: the state does not change, only the actions run. */
  readonly to: Path | null;
  readonly words: string;
}

export interface Drawing {
  readonly root: DrawnState;
  readonly arrows: readonly Arrow[];
}

/** The label of an arrow: event, condition, actions. */
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
