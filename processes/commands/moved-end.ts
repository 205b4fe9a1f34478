// What became of a command that moved the end of a deadline or of a timer, and what takes it back.
import type { MovedDeadline } from '../../contract/flows/flow-messages.ts';
import { t } from '../../shared/texts/text.ts';
import type { NamedEnd } from './named-end.ts';

/** Which deadline it was, so that it can be taken back, and how it moved. */
export interface Moved extends MovedDeadline {
  /** The process whose deadline it is: it may be one that the named one has started. */
  readonly key: string;
  /** Null for a timer. */
  readonly role: string | null;
  readonly stage: string | null;
  /** The timer of a flow file; null for a role and a stage. */
  readonly timer: string | null;
  /** Null where the process has only one, or for a timer. */
  readonly booking: string | null;
}

export function movedOf(update: NamedEnd, answer: MovedDeadline, key: string): Moved {
  const { role = null, stage = null, timer = null, booking = null } = update;
  return { key, role, stage, timer, booking, ...answer };
}

export const formatMoved = (done: string, { from, until: end }: Pick<Moved, 'from' | 'until'>): string =>
  `${done}: ${from ?? t`no deadline`} → ${end ?? t`no deadline`}`;

/** Whether the command moves ends. */
export const canBeTakenBack = (command: string): boolean => command === 'extend' || command === 'shorten';

export interface MoveBack {
  readonly key: string;
  /** Of undoExtension. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * What puts the end back. Null for what was done with a part, which has an outcome of its own.
 * @param result of such a command to the process with this key, as it gave it or as a batch has kept it
 */
export function moveBack(result: unknown, key: string): MoveBack | null {
  if (typeof result !== 'object' || result === null || 'doneWith' in result) return null;
  const { key: owner = key, role, stage, timer, booking, from, until } = result as Partial<Moved>;
  const fields = Object.entries({ role, stage, timer, booking, from, until }).filter(
    (each): each is [string, string] => typeof each[1] === 'string',
  );
  return { key: owner, fields: Object.fromEntries(fields) };
}
