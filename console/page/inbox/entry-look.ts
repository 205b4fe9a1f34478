// How an entry of Work looks: by the state that everything of its kind has, in every list.
import type { EntryKind, WorkEntry } from '../../processes/processes-view.ts';
import { iconOf, type State } from '../parts/badge.tsx';
import type { IconName } from '../parts/icon.tsx';

interface Look {
  /** Undefined: it is work, and nothing is wrong. */
  readonly state?: State;
  readonly icon?: IconName;
}

const looks: Readonly<Record<EntryKind, Look>> = {
  decision: { state: 'fault' },
  question: { icon: 'question' },
  late: { state: 'late' },
  failedStart: { state: 'fault' },
  door: { state: 'fault' },
  openDoor: { state: 'fault', icon: 'door' },
  itemLeft: { state: 'inside' },
  itemOut: { icon: 'out' },
  unmatched: { icon: 'message' },
  eventsNotTaken: { state: 'fault' },
  outOfOrder: { state: 'over' },
};

/** What could not be read now is as it was, whatever it was. */
export function lookOf({ kind, asOf }: Pick<WorkEntry, 'kind' | 'asOf'>): {
  readonly state: State | undefined;
  readonly icon: IconName;
} {
  const { state, icon = iconOf(state) ?? 'work' } = asOf ? { state: 'offline' as const } : looks[kind];
  return { state, icon };
}
