// The events of a shipment flow's steps for its parent workflow, if that listens.
import type { News } from '../../driver/telling/parent.ts';
import { openDeadlines, type Picture } from './picture.ts';
import { legResult } from './settlement.ts';

/** `<role>.<StateCode>`, `<role>.overdue`, `needsPerson`; null for `before` at the start. */
export function newsOf(before: Picture | null, now: Picture): News[] {
  const states = now.legs.flatMap(({ role, state, shipment }, index): News[] =>
    shipment && state !== before?.legs[index]?.state
      ? [{ type: `${role}.${state}`, ...legResult(shipment) }]
      : [],
  );
  const passedBefore = new Set(
    before &&
      openDeadlines(before)
        .filter(({ passed }) => passed)
        .map(keyOf),
  );
  const overdue = openDeadlines(now)
    .filter((deadline) => deadline.passed && !passedBefore.has(keyOf(deadline)))
    .map(
      ({ role, stage, until }): News => ({
        type: `${role}.overdue`,
        ...{ stage, until: new Date(until).toISOString() },
      }),
    );
  const isStuck = now.phase === 'NeedsPerson' && before?.phase !== 'NeedsPerson';
  return [...states, ...overdue, ...(isStuck ? [{ type: 'needsPerson', awaits: [...now.awaits] }] : [])];
}

/** An extended deadline may pass again. */
const keyOf = ({
  role,
  stage,
  until,
}: {
  readonly role: string;
  readonly stage: string;
  readonly until: number;
}) => [role, stage, until].join();
