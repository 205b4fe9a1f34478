// The calls that a booking makes, as a history and a play know them alike.
import type { BookInput, ChangeReceiverInput, UndoInput } from '../booking/activities.ts';
import type { BookingCalls } from '../booking/booking-actor.ts';
import { isMap, type Json, type JsonObject } from '../language/flow-file.ts';

type BookingCall = keyof BookingCalls;

interface Inputs extends Record<BookingCall, unknown> {
  readonly book: BookInput;
  readonly undo: UndoInput;
  readonly changeReceiver: ChangeReceiverInput;
}

/** What it is about: a booking by its id, or shipments, which are the same whatever a file calls the booking. */
const subjects: { readonly [Call in BookingCall]: (input: Inputs[Call]) => string } = {
  book: ({ booking = '' }) => booking,
  undo: ({ shipments }) => shipments.map(({ shipmentUid }) => shipmentUid).join(' '),
  changeReceiver: ({ shipmentUid }) => shipmentUid,
};

/** All that the service's answer depends on. Its deadlines are the business of the process alone. */
const questions: { readonly [Call in BookingCall]: (input: Inputs[Call]) => object } = {
  book: ({ operation, input: { request, waitForLocker }, legs, takesOver }) => ({
    operation,
    request,
    waitForLocker,
    legs,
    takesOver,
  }),
  undo: ({ shipments }) => ({ shipments }),
  changeReceiver: (input) => input,
};

const isBookingCall = (activity: string): activity is BookingCall => Object.hasOwn(subjects, activity);

/**
 * Undefined: no booking makes it.
 * @param former what a booking was called in the version that the process ran on
 */
export function bookingCallName(
  activity: string,
  input: unknown,
  former = (id: string) => id,
): string | undefined {
  if (!isBookingCall(activity)) return undefined;
  const subject = subjects[activity](input as never);
  return `${activity} ${activity === 'book' ? former(subject) : subject}`.trim();
}

/** Each part as a text, in which neither the order of names nor an empty field makes a difference. */
export function askedOfService(
  activity: string,
  input: unknown,
): Readonly<Record<string, string>> | undefined {
  if (!isBookingCall(activity)) return undefined;
  const parts = Object.entries(questions[activity](input as never));
  return Object.fromEntries(parts.map(([part, value]) => [part, comparable(value ?? null)]));
}

const comparable = (value: Json): string =>
  JSON.stringify(value, (_, each: Json) => (isMap(each) ? sorted(each) : each));

const sorted = (map: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(map)
      .filter(([, value]) => value !== null)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
