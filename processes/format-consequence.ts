// Formats the consequence of a command as text for people. The process computes the consequence; no other file words it.
import type {
  Consequence,
  DeadlineMove,
  ProcessEnd,
  ShipmentEffect,
  ShipmentEffectKind,
} from '../contract/flows/actions.ts';
import { t } from '../shared/texts/text.ts';
import { formatInvoke } from './views/format-invoke.ts';
import {
  capitalized,
  formatFlowName,
  formatName,
  formatState,
  legOf,
  spaced,
  stageOf,
} from './views/format-names.ts';

type PlaceNames = ReadonlyMap<string, string>;

/**
 * @param consequence null: the process could not compute one
 * @param pickUpPoints their names; one that is not there is told by its uid
 */
export function formatConsequence(
  consequence: Consequence | null,
  pickUpPoints: PlaceNames = new Map(),
): string {
  if (consequence === null) return t`the consequences are not known`;
  const { isTaken, shipments, itemsLeft, itemsOut, deadlines, children, questions, calls, booking, after } =
    consequence;
  if (!isTaken) return t`nothing changes: the current state does not accept it`;
  const isOver = after.activity === 'Undoing' || after.activity === 'Ended';
  const parts = [
    ...Object.entries(effectTexts).flatMap(([effect, words]) => {
      const named = shipments.filter((each) => each.effect === effect);
      return named.length === 0 ? [] : [words(named.map(nameOf).join(', '))];
    }),
    ...itemsLeft.map(
      ({ role, shipmentUid, lockerName, pupUid }) =>
        t`somebody must fetch the item of ${role === null ? shipmentUid : legOf(role)} in locker ${lockerName ?? '?'} of ${pickUpPoints.get(pupUid ?? '') ?? pupUid ?? '?'}`,
    ),
    ...itemsOut.map(
      ({ booking, role }) =>
        t`the item of ${ofBooking(booking, legOf(role))} stays with whoever has it, and nobody waits for it any more: Work lists it until somebody says that it is back`,
    ),
    // What has ended waits for nothing: that goes without saying.
    ...deadlines.filter(({ until }) => until !== null || !isOver).map(formatDeadline),
    ...children.map(
      ({ flow, key, id }) => t`${key ?? id} (${formatFlowName(flow)}), which it has started, is cancelled`,
    ),
    ...questions.map(({ of, id }) => t`it asks ${of}: ${formatInvoke(id)}`),
    ...(calls.length > 0 && !booking ? [t`it calls ${[...new Set(calls)].join(', ')}`] : []),
    ...(booking ? [bookingTexts()[booking]] : []),
    ...(after.ends ? [t`it ends: ${formatEnd(after.ends, after.state)}`] : []),
  ];
  if (parts.length > 0) return parts.join('; ');
  return isOver ? t`it undoes what its flow says, and ends` : t`it goes on`;
}

/** As a sentence of its own. */
export function consequenceSentence(consequence: Consequence | null, pickUpPoints?: PlaceNames): string {
  return `${capitalized(formatConsequence(consequence, pickUpPoints))}.`;
}

/** By the state to which it comes: that it is completed, a yes and a no may have in common. */
function formatEnd({ status, outcome, code, title }: ProcessEnd, state: unknown): string {
  if (status === 'Canceled') return formatState('Cancelled').toLowerCase();
  if (title !== undefined) return title;
  const word = outcome ?? (status === 'Failed' ? (code ?? status) : undefined);
  if (word !== undefined) return formatState(word).toLowerCase();
  return typeof state === 'string' ? formatName(state) : formatState(status);
}

/** The order of the rows is the order in the text. */
const effectTexts: Readonly<Record<ShipmentEffectKind, (named: string) => string>> = {
  Cancelled: (named) => t`cancels ${named}`,
  ReceiverRemoved: (named) => t`removes the receiver of ${named}, which is stock again`,
  ReceiverRemovedOrCancelled: (named) =>
    t`removes the receiver of ${named} while it is still stock, and else cancels it`,
  ReceiverSet: (named) => t`sets the receiver of ${named}`,
  Adopted: (named) => t`follows ${named} from now on`,
  Released: (named) => t`follows ${named} no longer`,
  StateSet: (named) => t`takes the state of ${named} as given`,
  Stays: (named) => t`leaves ${named} as it is`,
};

const nameOf = ({ booking, role, shipmentUid }: ShipmentEffect): string =>
  role === null ? shipmentUid : ofBooking(booking, legOf(role));

/** "the return (laptop)": only a process with several bookings names them. */
const ofBooking = (booking: string | undefined, name: string) =>
  booking === undefined ? name : `${name} (${spaced(booking)})`;

const bookingTexts = (): Readonly<Record<NonNullable<Consequence['booking']>, string>> => ({
  UndoneOnceKnown: t`the booking that is under way is undone once it is known`,
  MayBookTwice: t`it books again: if the service cannot be asked whether it was booked, retry may book a second time`,
  BooksAgain: t`it books again, and nothing twice: the service says whether it was booked`,
  MayStayBooked: t`if the booking was made after all, it stays: cancel it at the locker service`,
});

function formatDeadline(move: DeadlineMove): string {
  const { booking, role, stage, from, until, ahead } = move;
  if (role === null) return formatTimer(move);
  const name = ofBooking(booking, stageOf(role, `${stage}`));
  const change = `${name}: ${from ?? t`no deadline`} → ${until ?? t`no deadline`}`;
  return ahead ? t`${change}; it holds once that begins` : change;
}

/** The innermost state says enough. */
function formatTimer({ state: path, from, until }: DeadlineMove): string {
  const state = path?.split('.').at(-1) || undefined;
  const name = state === undefined ? t`its time` : t`its time in “${formatName(state)}”`;
  if (until === null) return t`${name} counts no more`;
  return from === null ? t`${name} ends ${until}` : `${name}: ${from} → ${until}`;
}
