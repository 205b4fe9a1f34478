// What a migration to other terms changes for a booking: a leg that is over by the one version and open by the other must be meant.
import type { Obstacle } from '../../engine/migration-plan.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import { type BookingState, declarationOf } from './booking-state.ts';
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
