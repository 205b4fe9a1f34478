// What a migration to other terms changes for a booking: a leg that is over by the one version and open by the other must be meant.
// And what it does not change: its deadlines.
import type { Obstacle } from '../../engine/migration-plan.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import { isMap, type Json } from '../language/flow-file.ts';
import { type BookingState, declarationOf } from './booking-state.ts';
import { beyond } from './deadlines.ts';
import { shipmentWithRole } from './known.ts';
import { isFinal, legState } from './leg-state.ts';

/** @param meant the plan's `states`: what the operator has said of them */
export function finalChanges(
  id: string,
  before: BookingState,
  after: BookingState,
  meant: Readonly<Record<string, unknown>>,
): Obstacle[] {
  if (before.place !== 'following') return [];
  const [was, is] = [before, after].map((state) => declarationOf(state.terms, state.known.start.flow)) as [
    Declaration,
    Declaration,
  ];
  return rolesOf(was).flatMap((role): Obstacle[] => {
    const [state, now] = [legState(was, before.known, role), legState(is, after.known, role)];
    const path = `${id}.${role}.${state}`;
    const isOver = isFinal(legOf(was, role), state);
    if (isOver === isFinal(legOf(is, role), now) || Object.hasOwn(meant, path)) return [];
    return [
      {
        code: 'FinalChanged',
        at: path,
        reason: `the leg ${role} is ${isOver ? 'over' : 'open'} in its version, and ${isOver ? 'open' : 'over'} in the other one (${now})`,
        remedy: `say that it is meant: states: { ${path}: ${id}.${role}.${now} } in the plan`,
      },
    ];
  });
}

/**
 * A note on the deadlines still to come that the new file has otherwise.
 * @param was as the former file has them, with expressions
 */
export function keptDeadlines(
  id: string,
  { terms, known }: BookingState,
  was: Json | undefined,
  is: Json | undefined,
): string[] {
  const flow = declarationOf(terms, known.start.flow);
  const booked = known.start.input.deadlines as Json | undefined;
  const kept = rolesOf(flow).flatMap((role) => {
    const shipment = shipmentWithRole(known, role);
    const changed = legOf(flow, role).deadlines.filter((stage) => {
      const [before, now, own] = [was, is, booked].map((deadlines) =>
        JSON.stringify(at(at(deadlines, role), stage)),
      );
      // Back in the version with which it was made, it has what that has.
      return before !== now && own !== now && !(shipment && beyond(shipment, stage));
    });
    return changed.map((stage) => `${role}.${stage}`);
  });
  if (kept.length === 0) return [];
  const remedy = 'extend or shorten moves';
  return kept.length === 1
    ? [`${id}: the deadline ${kept[0]} stays as it was, and the new file has another; ${remedy} it`]
    : [
        `${id}: the deadlines ${kept.join(', ')} stay as they were, and the new file has others; ${remedy} them`,
      ];
}

/** An expression may stand for all of them. */
const at = (deadlines: Json | undefined, name: string): Json | undefined =>
  isMap(deadlines) ? deadlines[name] : deadlines;
