// What flows and the locker service may disagree about: what each kind means, and the commands that mend it.
import type { Role } from '../../contract/flows/flow-input.ts';

type DisagreementKind = 'lateCallback' | 'serviceBehind' | 'noShipment' | 'noFlow';

export interface Disagreement {
  readonly kind: DisagreementKind;
  readonly shipmentUid: string;
  /** The business key of the flow; null where there is none. */
  readonly workflowId: string | null;
  /** Temporal's status of that flow, like RUNNING or TERMINATED. */
  readonly flowStatus: string | null;
  readonly role: Role | null;
  readonly flowState: string | null;
  readonly serviceState: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  readonly lockerUid: string | null;
  /** Whether the flow says that the item lies in that locker. */
  readonly isItemIn: boolean;
}

interface Kind {
  readonly meaning: (found: Disagreement) => string;
  /** The first is the usual one. */
  readonly mend: (found: Disagreement) => readonly string[];
}

const who = '--by <you> --why <reason>';
/** As it is typed in a shell. */
export function shellWord(text: string | null): string {
  if (text === null) return '<unknown>';
  return /^[\w.:@/+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
const cancelShipment = ({ shipmentUid }: Disagreement) =>
  `lockerflow shipment cancel ${shellWord(shipmentUid)}`;
const key = ({ workflowId }: Disagreement) => shellWord(workflowId);
const isOpen = ({ flowStatus }: Disagreement) => flowStatus === 'RUNNING';

const unlockGoals: Readonly<Record<string, 'DropOff' | 'PickUp'>> = {
  ReadyForDropoff: 'DropOff',
  ReadyForPickup: 'PickUp',
};

// A Record, so that a new kind without its words does not compile.
const kinds: Readonly<Record<DisagreementKind, Kind>> = {
  lateCallback: {
    meaning: () =>
      'the service has a later state than its flow: the callback has not come, or Temporal was set back to an earlier point',
    mend: (found) => [
      `npm run -s service -- callback resend <tenantUid> --shipment ${shellWord(found.shipmentUid)}`,
      `lockerflow set-state ${key(found)} --role ${found.role ?? '<role>'} --state-code ${found.serviceState} ${who}`,
    ],
  },
  serviceBehind: {
    meaning: ({ serviceState }) =>
      `the flow was told of a later state than the service has: the service was set back to an earlier point. Look into the locker: ${
        serviceState === 'ReadyForDropoff'
          ? 'if the item is in it, let the service know by the drop-off that it lacks'
          : 'if the item is gone, let the service know by the pick-up that it lacks'
      }; else cancel the shipment`,
    mend: (found) => {
      const goal = unlockGoals[found.serviceState ?? ''];
      const unlock = `lockerflow shipment unlock ${shellWord(found.shipmentUid)} --goal ${goal}`;
      return goal === undefined ? [cancelShipment(found)] : [unlock, cancelShipment(found)];
    },
  },
  noShipment: {
    meaning: ({ isItemIn }) =>
      `the flow has a shipment that the service does not have, most likely because the service was set back to an earlier point${
        isItemIn ? '. Its item lies in the locker, which the service may give to the next booking' : ''
      }`,
    mend: (found) => [
      ...(found.isItemIn
        ? [`npm run -s service -- locker item-left <tenantUid> ${shellWord(found.lockerUid)}`]
        : []),
      ...(isOpen(found)
        ? [`lockerflow cancel ${key(found)}`, `lockerflow give-up ${key(found)} ${who}`]
        : []),
      ...(found.isItemIn
        ? [`npm run -s service -- locker emptied <tenantUid> ${shellWord(found.lockerUid)}`]
        : []),
    ],
  },
  noFlow: {
    meaning: (found) => `an active booking that no flow has: ${reasonOf(found)}`,
    mend: (found) => [
      cancelShipment(found),
      ...(isOpen(found)
        ? [`lockerflow adopt ${key(found)} --shipments <role>=${shellWord(found.shipmentUid)} ${who}`]
        : []),
    ],
  },
};

function reasonOf({ workflowId, flowStatus }: Disagreement): string {
  if (workflowId === null)
    return 'another system has made it, or Temporal was set back to an earlier point and its flow is gone';
  return flowStatus === 'RUNNING'
    ? `it has the case number of ${workflowId}, which has booked a second time, or has not heard of this booking and waits for a person to adopt it`
    : `${workflowId} has ended without undoing anything (${flowStatus})`;
}

export const meaningOf = (found: Disagreement): string => kinds[found.kind].meaning(found);
export const mendingOf = (found: Disagreement): readonly string[] => kinds[found.kind].mend(found);
