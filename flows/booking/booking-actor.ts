// `src: book`: an inline actor that books an operation and follows its shipments, leg by leg. Its timers, its events and its end
// are computed from its state.

import type { AnyActorLogic } from 'xstate';
import { notPossible } from '../../engine/commands.ts';
import type { MessageEvent } from '../../engine/definition/message-rules.ts';
import {
  type Acceptance,
  type InlineActor,
  type InlineActorLogic,
  type InvokeContext,
  inlineActorLogic,
} from '../../engine/inline-actor.ts';
import {
  BOOK,
  type BookingInput,
  BookingSnapshots,
  type BookingState,
  begunBooking,
} from './booking-state.ts';
import { BookingStep } from './booking-step.ts';
import { shipmentOf } from './known.ts';
import { payloadFields } from './messages.ts';
import { isBookingUpdate, updateRefusal } from './refusals.ts';

/** The signals of a booking, with their descriptions for the Web UI. */
export const bookingSignals = {
  shipmentStatus: 'A shipment has changed its state, as the callback or the listing said',
  superseded: 'Another flow has taken a shipment over and follows it from now on',
  alsoFollowed: 'Another flow continues with a shipment: new reports of it are passed on to that one too',
} as const;

/** What it calls; the inputs and outputs are those of activities.ts. */
export interface BookingCalls {
  readonly book: AnyActorLogic;
  readonly undo: AnyActorLogic;
  readonly changeReceiver: AnyActorLogic;
}

interface Invoked {
  readonly input: BookingInput;
  readonly subscriptions: readonly string[];
}

export function bookingActor(
  calls: BookingCalls,
  snapshots: BookingSnapshots = new BookingSnapshots(),
): InlineActorLogic {
  const actor: InlineActor<BookingState> = {
    name: BOOK,
    isIndependent: true,
    logicOf: (input) => {
      if ('flow' in (input as object)) return calls.book;
      return 'shipments' in (input as object) ? calls.undo : calls.changeReceiver;
    },
    begin: (invoked, invoke) => {
      const { input, subscriptions } = invoked as Invoked;
      const state = begunBooking(input, subscriptions, invoke);
      return new BookingStep(state, invoke, snapshots).begin();
    },
    take: (state, event, invoke) => new BookingStep(state, invoke, snapshots).take(event),
    accepts: (state, message, invoke) => acceptance(state, message, invoke, snapshots),
    hasToCleanUp: ({ place }) => place !== 'ended',
  };
  return inlineActorLogic(actor);
}

function acceptance(
  state: BookingState,
  message: MessageEvent,
  { id, now }: InvokeContext,
  snapshots: BookingSnapshots,
): Acceptance | undefined {
  const { type, payload } = message;
  if (Object.hasOwn(bookingSignals, type)) return isForShipments(state, payload) ? 'accepted' : undefined;
  const { booking, timer } = payloadFields(payload);
  if (!isBookingUpdate(type) || (booking !== undefined && booking !== id)) return undefined;
  if (type === 'extendDeadline' && timer !== undefined) return undefined;
  const { flow, view, isWhole } = snapshots.of(state);
  const problem = updateRefusal(flow, view, { ...message, type }, now);
  return problem === null ? 'accepted' : { refusal: notPossible(`${isWhole ? flow.name : id}: ${problem}`) };
}

/**
 * Until it knows its shipments, each may be its own. One that names no shipment is nobody else's. What it has told the other
 * bookings of its process may come again, when one of them knows its own.
 */
function isForShipments({ name, place, known }: BookingState, payload: unknown): boolean {
  const { shipmentUid, byBooking } = payloadFields(payload);
  if (byBooking !== undefined && byBooking === name) return false;
  if (place === 'booking' || place === 'bookingUnknown' || typeof shipmentUid !== 'string') return true;
  return shipmentOf(known, shipmentUid) !== undefined;
}
