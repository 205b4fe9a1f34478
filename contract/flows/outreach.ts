// What people send outside about a process: a message to the person whom it is for, and a request for a mechanic at a door. A process
// keeps each in its history, with the uid of the person and no address: who delivers it reads that at the service.
import type { Attribution } from './attribution.ts';
import type { Instant } from './flow-input.ts';

/** Names of updates of every process. */
export const outreachKinds = ['message', 'sendMechanic'] as const;
export type OutreachKind = (typeof outreachKinds)[number];

export const isOutreach = (name: string): name is OutreachKind => outreachKinds.some((each) => each === name);

/** In whose name codes are read to be compared with the text of a message: no person sees them. */
export const CODE_COMPARISON = 'comparison with a message';

/** A person reads it on a phone. */
export const LONGEST_MESSAGE = 500;

/** Update `message`. */
export type SendMessage = Attribution & {
  /** The userUid of whom it is for. */
  readonly to: string;
  /** 1 to 500 characters, blanks around it left out. */
  readonly text: string;
};

/** Update `sendMechanic`. */
export type SendMechanic = Attribution & {
  readonly pupUid: string;
  /** Absent: the whole wall. */
  readonly lockerName?: string;
  /** What is wrong, in 1 to 500 characters. */
  readonly problem: string;
};

/** What a process answers to either: the id of the workflow that delivers it. */
export interface OutreachBegun {
  readonly delivery: string;
}

/** What of a person's account the connector for messages needs. */
export const addressKinds = ['email', 'phone', 'none'] as const;
export type AddressKind = (typeof addressKinds)[number];

export interface OutreachSettings {
  /** The name of a connector with `messages`, or of a mailbox; null: nobody is sent one. */
  readonly message: string | null;
  /** The name of a connector with `mechanic`, or of a mailbox with `to`; null: none is sent for. */
  readonly sendMechanic: string | null;
  readonly address: AddressKind;
}

/** It delivers one message or request, however long the other side is down. */
export const OUTREACH_DELIVERY = 'OutreachDelivery';

/** The value of the search attribute LockerSubjects that every request for a mechanic has. */
export const MECHANIC_SUBJECT = 'mechanic';

/** Of a request for a mechanic: by these it is found. */
export const mechanicSubjects = (pupUid: string): readonly string[] => [
  MECHANIC_SUBJECT,
  `${MECHANIC_SUBJECT}:${pupUid}`,
];

/** What the memo `mechanic` of the workflow keeps of a request: no address, and no name but of who asked. */
export interface MechanicMemo extends Attribution {
  /** Of a request to a wall: the same however often it is sent. */
  readonly request?: string;
  readonly pupUid: string;
  /** Null: the whole wall. */
  readonly lockerName: string | null;
  readonly problem: string;
  /** Null: no process has asked. */
  readonly key: string | null;
}

/** The value of the search attribute LockerSubjects that every message about a shipment without a case has. */
export const MESSAGE_SUBJECT = 'message';

/** By it the messages to a person are found, whatever they are about. */
export const subjectMessageTo = (userUid: string): string => `messageTo:${userUid}`;

/** The value of the search attribute LockerSubjects that every message about a process has. */
export const CASE_MESSAGE_SUBJECT = 'caseMessage';

/** The subjects by which a message about a process is found. */
export const caseMessageSubjects = ({ to }: Pick<SendMessage, 'to'>): readonly string[] => [
  CASE_MESSAGE_SUBJECT,
  subjectMessageTo(to),
];

/** What the memo `message` of the workflow keeps of a message that a process sends. */
export interface CaseMessageMemo extends SendMessage {
  readonly key: string;
}

/** What it keeps of a message about a shipment that no case follows: no address. */
export interface ShipmentMessageMemo extends SendMessage {
  /** The same however often it is sent. */
  readonly request: string;
  readonly shipmentUid: string;
  /** Null: it has no locker. */
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

interface OutreachBase {
  /** The same however often it is sent. */
  readonly id: string;
  /** Null: it is about no process. */
  readonly key: string | null;
  readonly at: Instant;
}

/** What is to be delivered: the one argument of the workflow. */
export type Outreach =
  | (OutreachBase & {
      readonly kind: 'message';
      /** With where the item is, if no case follows it. */
      readonly fields: SendMessage & { readonly pupUid?: string };
    })
  | (OutreachBase & { readonly kind: 'sendMechanic'; readonly fields: SendMechanic });

/** Its result. */
export interface OutreachResult {
  readonly at: Instant;
  /** What the other side answered, without its words: they may be about a person. */
  readonly answer: string;
}

export interface OutreachActivities {
  deliverOutreach(outreach: Outreach): Promise<OutreachResult>;
}
