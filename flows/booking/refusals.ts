// Why an update is not possible for a booking now, as one sentence; null: it is.
import type { MessageEvent } from '../../engine/definition/message-rules.ts';
import type { Declaration } from '../built-in/declaration.ts';
import { extension } from './deadlines.ts';
import { type ResolveAction, receiverRefusal, resolveRefusal } from './decisions.ts';
import type { FlowView, Place } from './view.ts';

/** The updates of a booking, with their descriptions for the Web UI. */
export const bookingUpdates = {
  setReceiver: 'Sets the receiver of a shipment: role, toUserUid, caseReferenceNew',
  removeReceiver: 'Removes the receiver of a shipment: role',
  resolve:
    'Decides what the flow cannot know: by, why, and action retry, adopt (shipments), setState (role, stateCode) or giveUp',
} as const;

type BookingUpdate = keyof typeof bookingUpdates | 'extendDeadline';

type RefusalOf = (flow: Declaration, view: FlowView, event: MessageEvent, now: number) => string | null;

const onlyFollowing =
  (refusalOf: RefusalOf): RefusalOf =>
  (flow, view, event, now) =>
    view.place === 'following'
      ? refusalOf(flow, view, event, now)
      : `${event.type} is possible only while its shipments are followed`;

const ofReceiver = onlyFollowing((flow, { known }, event) => receiverRefusal(flow, known, event));

/** A text: why none is possible, and what is to be done in its place. */
const resolvable: Readonly<Record<Place, readonly ResolveAction[] | string>> = {
  booking: 'it is being booked, and knows how to go on. To end it, cancel it',
  bookingUnknown: ['retry', 'adopt', 'giveUp'],
  following: ['adopt', 'setState'],
  // Until it is known which shipment is which leg, nobody can say how a leg has ended.
  stuck: ['retry', 'adopt', 'setState', 'giveUp'],
  undoing:
    'its shipments are being cancelled, and it knows how to go on. If that fails, it asks for a decision',
  ended: 'its booking has ended, and nothing of it is left to decide',
};

const refusals: Readonly<Record<BookingUpdate, RefusalOf>> = {
  setReceiver: ofReceiver,
  removeReceiver: ofReceiver,
  extendDeadline: onlyFollowing((flow, { known }, { payload }, now) => {
    const wanted = extension(flow, known, payload, now);
    return typeof wanted === 'string' ? wanted : null;
  }),
  resolve: (flow, { place, known }, { payload }) => resolveRefusal(flow, known, payload, resolvable[place]),
};

export const isBookingUpdate = (type: string): type is BookingUpdate => Object.hasOwn(refusals, type);

export const updateRefusal = (
  flow: Declaration,
  view: FlowView,
  event: MessageEvent & { readonly type: BookingUpdate },
  now: number,
): string | null => refusals[event.type](flow, view, event, now);
