// What flows and the locker service may disagree about: what each kind means, and the command that mends it.

import type { Role } from '../../../contract/flows/flow-input.ts';

export const disagreementKinds = [
  'itemForgotten',
  'bookingGone',
  'serviceBehind',
  'serviceAhead',
  'flowEnded',
  'notAdopted',
  'bookedTwice',
  'heldTwice',
  'noFlow',
] as const;
export type DisagreementKind = (typeof disagreementKinds)[number];

/** What a locker is to the service, where a flow says that an item lies in it. */
export type LockerStatus = 'Free' | 'NotFree' | 'BookedByAnother' | 'Unknown';

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
  readonly locker: LockerStatus | null;
  /** For heldTwice: the other open flows that take the shipment for their own. */
  readonly alsoHeldBy?: readonly { readonly workflowId: string; readonly role: Role | null }[];
}

/** An open flow whose process has ended without cancelling it: nobody waits for it any more. */
export interface LeftFlow {
  readonly workflowId: string;
  /** The name of the flow. */
  readonly flow: string;
  readonly parentWorkflowId: string;
  /** Temporal's status of the process, TERMINATED or TIMED_OUT. */
  readonly parentStatus: string;
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

// A Record, so that a new kind without its words does not compile.
const kinds: Readonly<Record<DisagreementKind, Kind>> = {
  itemForgotten: {
    meaning: ({ locker }) =>
      `the flow says that an item lies in this locker, and the service has no such shipment: ${lockerWords[locker ?? 'Unknown']}`,
    mend: (found) => [
      ...(found.locker === 'Free' || found.locker === 'Unknown'
        ? [`npm run -s service -- locker item-left <tenantUid> ${shellWord(found.lockerUid)}`]
        : []),
      ...(found.flowStatus === 'RUNNING' ? [`lockerflow cancel ${key(found)}`] : []),
      `npm run -s service -- locker emptied <tenantUid> ${shellWord(found.lockerUid)}`,
    ],
  },
  bookingGone: {
    meaning: () =>
      'the flow waits for a shipment that the service does not have: the booking was lost, most likely because the service was set back to an earlier point',
    mend: (found) => [`lockerflow cancel ${key(found)}`, `lockerflow give-up ${key(found)} ${who}`],
  },
  serviceBehind: {
    meaning: ({ serviceState }) =>
      `the flow was told of a later state than the service has: the service was set back to an earlier point. Look into the locker: ${
        serviceState === 'ReadyForDropoff'
          ? 'if the item is in it, let the service know by the drop-off that it lacks'
          : 'if the item is gone, let the service know by the pick-up that it lacks'
      }; else cancel the shipment`,
    mend: (found) => [
      ...(unlockGoals[found.serviceState ?? ''] === undefined
        ? []
        : [
            `lockerflow shipment unlock ${shellWord(found.shipmentUid)} --goal ${unlockGoals[found.serviceState ?? '']}`,
          ]),
      cancelShipment(found),
    ],
  },
  serviceAhead: {
    meaning: () =>
      'the service has a later state than its flow: the callback has not come, or Temporal was set back to an earlier point',
    mend: (found) => [
      `npm run -s service -- callback resend <tenantUid> --shipment ${shellWord(found.shipmentUid)}`,
      `lockerflow set-state ${key(found)} --role ${found.role ?? '<role>'} --state-code ${found.serviceState} ${who}`,
    ],
  },
  flowEnded: {
    meaning: ({ flowStatus }) =>
      `its flow has ended without undoing anything (${flowStatus}), and the shipment is still active`,
    mend: (found) => [cancelShipment(found)],
  },
  notAdopted: {
    meaning: () => 'the shipment has the case number of an open flow that does not know of it',
    mend: (found) => [
      `lockerflow adopt ${key(found)} --shipments <role>=${shellWord(found.shipmentUid)} ${who}`,
      cancelShipment(found),
    ],
  },
  bookedTwice: {
    meaning: () =>
      'a second booking for this flow: it has the case number of an open flow that follows other shipments',
    mend: (found) => [cancelShipment(found)],
  },
  heldTwice: {
    meaning: ({ workflowId, alsoHeldBy = [] }) =>
      `${[workflowId, ...alsoHeldBy.map((other) => other.workflowId)].join(' and ')} are open and each takes the shipment for its own: a callback moves both, and a cancellation of one undoes what the other needs. Most likely a person has adopted it for the wrong one`,
    mend: (found) => [
      ...[found, ...(found.alsoHeldBy ?? [])].map(
        ({ workflowId, role }) =>
          `lockerflow adopt ${shellWord(workflowId)} --shipments ${role ?? '<role>'}=<its own> ${who}`,
      ),
    ],
  },
  noFlow: {
    meaning: () =>
      'an active booking that no flow has: another system has made it, or Temporal was set back to an earlier point and its flow is gone',
    mend: (found) => [cancelShipment(found)],
  },
};

const lockerWords: Readonly<Record<LockerStatus, string>> = {
  Free: 'the next booking may get this locker',
  NotFree: 'no booking can get this locker, but nothing says why',
  BookedByAnother: 'another shipment has this locker, and its user may find the item',
  Unknown: 'the service does not show the locker',
};

const unlockGoals: Readonly<Record<string, 'DropOff' | 'PickUp'>> = {
  ReadyForDropoff: 'DropOff',
  ReadyForPickup: 'PickUp',
};

export const meaningOf = (found: Disagreement): string => kinds[found.kind].meaning(found);
export const mendingOf = (found: Disagreement): readonly string[] => kinds[found.kind].mend(found);

/** What is to be said and done about a flow that its process has left behind. */
export const aboutLeft = ({ workflowId, parentWorkflowId, parentStatus }: LeftFlow) => ({
  meaning: `its process ${parentWorkflowId} has ended without cancelling it (${parentStatus}), and nobody waits for its result`,
  mend: [`lockerflow cancel ${shellWord(workflowId)}`],
});

/** What two looks at the same disagreement have in common. */
export const identityOf = ({
  kind,
  shipmentUid,
  workflowId,
  flowState,
  serviceState,
}: Disagreement): string => JSON.stringify([kind, shipmentUid, workflowId, flowState, serviceState]);
