// Where each leg is, as its region of the chart is told it: its state, and until when it may stay there.
import type { Role } from '../../contract/flows/flow-input.ts';
import { type Declaration, rolesOf } from '../../flows/declaration.ts';
import { deadlineOf, stageOfState } from './deadlines.ts';
import type { Knowledge } from './knowledge.ts';
import { type LegState, legState } from './legs-now.ts';

export interface Position {
  readonly state: LegState;
  /** Epoch milliseconds; null: no deadline. */
  readonly until: number | null;
}

export type Positions = Readonly<Partial<Record<Role, Position>>>;

/** What a region is told. */
export type News = { type: `${Role}.${LegState}` | `${Role}.deadlineMoved` };

export function positions(flow: Declaration, known: Knowledge): Positions {
  return Object.fromEntries(
    rolesOf(flow).map((role) => {
      const state = legState(flow, known, role);
      const stage = stageOfState[state];
      const until = stage ? deadlineOf(flow, known, role, stage) : null;
      return [role, { state, until } satisfies Position];
    }),
  );
}

/** Nothing where nothing is new: to tell a region its own state again would start its timer anew. */
export function newsOf(role: Role, told: Position | undefined, now: Position): News | null {
  if (now.state !== (told?.state ?? 'Unknown')) return { type: `${role}.${now.state}` };
  return told && now.until !== told.until ? { type: `${role}.deadlineMoved` } : null;
}
