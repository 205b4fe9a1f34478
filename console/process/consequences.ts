// What follows from the cancellation of a flow, in words.

import type { Progress } from '../../contract/flows/flow-messages.ts';
import { hasEnded } from '../../contract/wire/states.ts';

/** The consequences for a flow that is to end before its time. */
export function undoneWords({ shipments, unassigned }: Progress): string {
  const open = Object.entries(shipments).filter(([, { stateCode }]) => !hasEnded(stateCode));
  const inside = open.filter(
    ([, { stateCode }]) => stateCode === 'ReadyForPickup' || stateCode === 'WaitForReceiver',
  );
  const left = inside.map(
    ([role, { lockerName, pupUid }]) =>
      `${role} in locker ${lockerName ?? 'unknown'} of ${pupUid ?? 'unknown'}`,
  );
  const cancelled = [...open.map(([role]) => role), ...unassigned.map(({ shipmentUid }) => shipmentUid)];
  return [
    cancelled.length > 0
      ? `These shipments are cancelled: ${cancelled.join(', ')}.`
      : 'No shipment is open, so none is cancelled.',
    left.length > 0 ? `Somebody must fetch what stays in a locker: ${left.join('; ')}.` : '',
    'It cannot be taken back.',
  ]
    .filter((part) => part !== '')
    .join(' ');
}
