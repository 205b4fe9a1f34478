// What the page gets to show of pick up points and their lockers.
import type { TakenOut } from '../../processes/inbox/out-of-order.ts';
import type { ActionForm, ShipmentMessage, WorkEntry } from '../processes/processes-view.ts';

export type { TakenOut };

export interface PickUpPointRow {
  readonly pupUid: string;
  readonly name: string;
  readonly city: string | null;
  readonly lockers: number;
  readonly free: number;
  /** Smallest locker class first, as the service has them. */
  readonly sizes: readonly { readonly size: string; readonly lockers: number; readonly free: number }[];
  /** How many doors of a wall that answers stayed shut when they were to open. */
  readonly stuck: number;
  /** How many no booking gets. */
  readonly outOfOrder: number;
  /** The wall is cut off. */
  readonly isOffline: boolean;
  /** ISO 8601; null: it is not offline, or the service does not tell. */
  readonly offlineSince: string | null;
  /** The doors that stand open now, the one that has for longest first. */
  readonly open: readonly OpenDoor[];
}

export interface OpenDoor {
  readonly lockerUid: string;
  readonly lockerName: string;
  /** ISO 8601, in real time. */
  readonly since: string;
  /** An item is in it. */
  readonly isInside: boolean;
  /** A shipment has the locker. */
  readonly isBooked: boolean;
  /** The process that has the locker, or whose item was left in it; null: none is known. */
  readonly key: string | null;
  /** Null: it is not known, or the reader may not know people. */
  readonly about: TileAbout | null;
}

export interface HeldBy {
  readonly shipmentUid: string;
  readonly stateCode: string;
  /** What somebody is to do there now; null: nothing. */
  readonly goal: 'DropOff' | 'PickUp' | null;
  /** What is to happen with the item, in words: "to be picked up". */
  readonly words: string;
  /** The item is in the locker, and is not just being put in. */
  readonly isInside: boolean;
  /** What is said of it where only a key opens the door: it stayed shut, or its wall is offline. */
  readonly byHand: ActionForm | null;
  readonly fromUserUid: string | null;
  readonly toUserUid: string | null;
  /** ISO 8601, by the clock of the service: when its state began. */
  readonly since: string | null;
  /** The process that has it, if one does. */
  readonly workflowId: string | null;
}

/** Whom a shipment in a locker is for: only who may decide sees people. */
export interface HeldFor {
  readonly to: string | null;
  readonly from: string | null;
  /** Who saw its codes, the last one first; null: the service does not tell. */
  readonly codesRead: readonly { readonly by: string; readonly at: string }[] | null;
}

export interface WallLocker {
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly size: string;
  readonly state: 'Free' | 'Booked' | 'OutOfOrder' | 'ToBeEmptied';
  readonly outOfOrder: boolean;
  /** Who has taken it out of order; null: nobody, or the service does not tell. */
  readonly takenOut: TakenOut | null;
  readonly toBeEmptied: boolean;
  /** Open, Closed or Unknown. */
  readonly door: string;
  /** ISO 8601: since when it stands open; null: it does not, or the service does not tell. */
  readonly doorOpenSince: string | null;
  /** Why the door did not open the last time, and since when it fails; null if it opened, or its wall is offline. */
  readonly doorFailure: { readonly since: string | null; readonly reason: string } | null;
  readonly lastAccess: {
    readonly at: string;
    readonly goal: string | null;
    /** Why staff opened it. */
    readonly why: string | null;
    readonly by: string | null;
  } | null;
  readonly leftShipmentUid: string | null;
  /** The process whose shipment left its item, if one is known: it has often ended. */
  readonly leftWorkflowId: string | null;
  /** It is open: it may count on the item. */
  readonly isLeftByOpen: boolean;
  /** In the order of their chain. */
  readonly shipments: readonly HeldBy[];
}

/** Of a shipment in a locker, as its tile shows it: only who may decide sees people. */
export interface TileAbout {
  readonly people: readonly string[];
  readonly item: string | null;
  /** Until when what is next is waited for; null: no process says it, or has been asked yet. */
  readonly due: { readonly at: string; readonly isOverdue: boolean; readonly clockAheadMs: number } | null;
  /** The desk is to take the item out. */
  readonly isForDesk: boolean;
}

/** An item that no case follows. */
export interface Stray {
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly item: string | null;
  /** Null: it is not known whose item it is. */
  readonly shipmentUid: string | null;
  /** The last message about it, whoever has sent it; null: none is known, or it is not for the reader to know. */
  readonly sent: ShipmentMessage | null;
  /** Whom it is for; null: that is not known, or not for the reader to know. */
  readonly person: {
    readonly userUid: string;
    readonly name: string;
    readonly phoneNumber: string | null;
    readonly emailAddress: string | null;
  } | null;
}

/** A locker that somebody goes to on a round. */
export interface RoundStop {
  readonly lockerUid: string;
  readonly lockerName: string;
  /** Why, in words for people. */
  readonly reasons: readonly string[];
  /** Null: none is inside, or it is not known which. */
  readonly item: string | null;
  /** As in "for Anna Jansen". */
  readonly people: readonly string[];
  /** Null: its door stands open, or the reader may not open it. */
  readonly open: ActionForm | null;
  /** Says that the item is out; null: there is none to take out. */
  readonly out: ActionForm | null;
}

export interface WallView {
  readonly pupUid: string;
  readonly name: string;
  /** In the order in which they were installed. */
  readonly lockers: readonly WallLocker[];
  /** In words for people; null: it is not cut off. */
  readonly offline: {
    readonly words: string;
    readonly toDo: string;
    /** Who cannot reach a locker, as Work has it; null: nobody, or it could not be read. */
    readonly many: WorkEntry['many'] | null;
    readonly strays: readonly Stray[];
  } | null;
  /** In the order of the lockers. */
  readonly round: readonly RoundStop[];
  /** By shipmentUid, of those whose holder or shipment is known. */
  readonly abouts: Readonly<Record<string, TileAbout>>;
  /** What could not be read, in words. */
  readonly unread: readonly string[];
  /** Sizes, smallest first. */
  readonly sizes: readonly string[];
  /** How far the clock of the service is ahead of the real time: that of a sandbox. */
  readonly clockAheadMs: number;
}
