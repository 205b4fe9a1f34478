// What the page gets to show at the desk: people, lockers, items in stock, and forms.

import type { Response } from '../../contract/operations/operations.ts';

/** An account that the tenant manages, or a suggestion of the last upload that has no account yet. */
export type PersonFound = Response<'SearchAccounts'>['items'][number];

export interface PeopleFound {
  readonly items: readonly PersonFound[];
  /** False: there are more; a longer text finds them. */
  readonly isComplete: boolean;
}

/** A shipment that a flow takes over: an item in stock, or one that comes back. */
export interface ItemFound {
  readonly shipmentUid: string;
  /** What people call it: its description, else its reference; null: it has neither. */
  readonly title: string | null;
  readonly referenceNo: string | null;
  readonly lockerName: string | null;
  readonly pupName: string | null;
  /** What is to happen with it at its locker, in words. */
  readonly words: string;
}

export interface ItemsFound {
  readonly items: readonly ItemFound[];
  /** False: there are more; a longer text finds them. */
  readonly isComplete: boolean;
}

/** Centimeters. */
export interface Dimension {
  readonly width: number;
  readonly height: number;
  readonly length: number;
}

/** A size class of a pick up point. */
interface LockerSize {
  readonly size: string;
  /** Null: the service does not tell. */
  readonly innerDimension: Dimension | null;
  readonly lockers: number;
  readonly free: number;
}

/** What may be booked at a pick up point. */
export interface DeskLockers {
  /** The smallest first. */
  readonly sizes: readonly LockerSize[];
  readonly free: readonly {
    readonly lockerUid: string;
    readonly lockerName: string;
    readonly size: string;
  }[];
}

export interface CodesView {
  readonly shipmentUid: string;
  readonly deliveryCode: string | null;
  readonly pickUpCode: string | null;
}

/** What a field means decides how it is asked for: a pick up point by its name, a person by a search. */
export type FormKind =
  | ('group' | 'text' | 'number' | 'flag' | 'choice' | 'list' | 'json')
  | ('duration' | 'instant' | 'day')
  | ('pickUpPoint' | 'locker' | 'size' | 'person' | 'stockItem' | 'intakeItem');

/** A field of a form, made from a JSON Schema. */
export interface FormField {
  /** Where its value goes, like request.dimension.width; the paths of a refusal's fields. */
  readonly path: string;
  readonly label: string;
  readonly kind: FormKind;
  readonly isRequired: boolean;
  readonly description: string | null;
  readonly choices?: readonly string[];
  /** For a person: the fields of an account that is made where there is none. */
  readonly children?: readonly FormField[];
  readonly initial?: string | number | boolean;
  /** For a locker or a size: the path of the field with its pick up point. */
  readonly at?: string;
  /** For a person: where the account goes that is made; without it, only an account that exists can be chosen. */
  readonly accountPath?: string;
}

export interface FlowForm {
  readonly name: string;
  readonly title: string;
  readonly description: string | null;
  readonly fields: readonly FormField[];
}
