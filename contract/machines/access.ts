// What opening a shipment's locker means in its state, by access code or by goal (interface: UnlockShipmentLocker;
// assumptions: Lockers and codes). It says what an access is; only the store knows whether a pin is right. And, in words, why a
// rule refuses an event (explain).
import type { StateCode } from '../wire/states.ts';
import type { ChainShipment } from './chain-shipments.ts';
import { isActive, statesTaking } from './chart.ts';

export type UnlockGoal = 'DropOff' | 'PickUp';
export type AccessCode = 'deliveryCode' | 'pickUpCode';
export type AccessEvent = 'ItemDroppedOff' | 'ItemPickedUp';
/** What an opening may mean: an access, or that somebody takes out what a cancelled shipment left behind. */
export type OpeningEvent = AccessEvent | 'LeftItemPickedUp';

interface Access {
  goal: UnlockGoal;
  code: AccessCode;
  event: AccessEvent;
}

const accesses: readonly Access[] = [
  { goal: 'DropOff', code: 'deliveryCode', event: 'ItemDroppedOff' },
  { goal: 'PickUp', code: 'pickUpCode', event: 'ItemPickedUp' },
];

/** What happens when this code is typed at the locker; null: it does not open in this state. */
export function eventOfCode(stateCode: StateCode, code: AccessCode): AccessEvent | null {
  const access = accesses.find((each) => each.code === code && statesTaking(each.event).includes(stateCode));
  return access?.event ?? null;
}

/** The access that is to come in this state; null: none. */
export const goalIn = (stateCode: string | null): UnlockGoal | null =>
  accesses.find(({ event }) => statesTaking(event).some((each) => each === stateCode))?.goal ?? null;

export type Unlock =
  /** `event` null: the door opens and nothing else changes. A given pin must be one of `codes`. */
  | { opens: true; event: OpeningEvent | null; codes: readonly AccessCode[] }
  | { opens: false; error: 'InvalidShipmentState' | 'UnlockNotAllowed' };

/** What UnlockShipmentLocker does on a shipment that has a locker. */
export function unlock(
  { stateCode, isItemLeft }: Pick<ChainShipment, 'stateCode' | 'isItemLeft'>,
  goal: UnlockGoal | null,
): Unlock {
  const isReachable = isActive(stateCode) || (isItemLeft && goal !== 'DropOff');
  if (!isReachable) return { opens: false, error: 'InvalidShipmentState' };
  if (goal === null) return { opens: true, event: null, codes: accesses.map(({ code }) => code) };
  if (isItemLeft) return { opens: true, event: 'LeftItemPickedUp', codes: ['pickUpCode'] };
  const access = accesses.find((each) => each.goal === goal && statesTaking(each.event).includes(stateCode));
  if (!access) return { opens: false, error: 'UnlockNotAllowed' };
  return { opens: true, event: access.event, codes: [access.code] };
}
