// What the page gets to show at the desk: people, lockers, forms, and what became of a parcel.

/** An account that the tenant manages, or a suggestion of the last upload that has no account yet. */
export interface PersonFound {
  readonly kind: 'Account' | 'Suggestion';
  readonly userUid: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  readonly phoneNumber: string | null;
  readonly languageCode: string | null;
  readonly pupUid: string | null;
  readonly remarks: string | null;
}

export interface PeopleFound {
  readonly people: readonly PersonFound[];
  /** False: there are more; a longer text finds them. */
  readonly isComplete: boolean;
}

export interface FreeLocker {
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly size: string;
}

export interface DeskPickUpPoint {
  readonly pupUid: string;
  readonly name: string;
  readonly free: readonly FreeLocker[];
}

export interface ParcelView {
  readonly key: string;
  readonly status: 'Booking' | 'Booked' | 'Refused' | 'NeedsPerson';
  readonly shipmentUid: string | null;
  readonly stateCode: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  /** Why it was refused, and what to do. */
  readonly message: string | null;
}

export interface CodesView {
  readonly shipmentUid: string;
  readonly deliveryCode: string | null;
  readonly pickUpCode: string | null;
}

export type FormKind = 'group' | 'text' | 'number' | 'flag' | 'choice' | 'list' | 'json';

/** A field of a form, made from a JSON Schema. */
export interface FormField {
  /** Where its value goes, like request.dimension.width; the paths of a refusal's fields. */
  readonly path: string;
  readonly label: string;
  readonly kind: FormKind;
  readonly isRequired: boolean;
  readonly description: string | null;
  readonly choices?: readonly string[];
  readonly children?: readonly FormField[];
  readonly initial?: string | number | boolean;
}

export interface FlowForm {
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly FormField[];
}
