// Books a new chain into a free locker in one round trip: book_chain (storage/functions/booking.sql) makes it. The rules of
// contract/machines/ decide the first state and the codes of each shipment, SQL decides the locker, under the locks.
import pg from 'pg';
import { applyToChain } from '../../contract/machines/chain.ts';
import { ApiError } from '../api-error.ts';
import { subjectsOf } from '../audit/audit-entry.ts';
import type { Context } from '../handler.ts';
import { answerKeyOf, otherRequest } from '../idempotency.ts';
import { repeatedOnConflict } from '../storage/transaction.ts';
import { book } from './booking-queue.ts';
import { type NoLockerOutcome, noLocker } from './no-locker.ts';
import { type BookingRequest, type PlannedShipment, roomOf, shipmentRow } from './planned-shipment.ts';

interface BookedPlace {
  readonly pupUid: string;
  readonly lockerName: string;
}

/** The code that book_chain raises when a pick up point has hardly one of its million access codes left. */
const NO_ACCESS_CODE_LEFT = 'LF001';

/** Gives the answer with the place that was booked; the shipments come in chain order. */
export async function bookChain<Answer extends object>(
  context: Context,
  request: BookingRequest,
  shipments: readonly PlannedShipment[],
  answer: Answer,
): Promise<Answer & BookedPlace> {
  const { outcome, response } = await repeatedOnConflict(() =>
    callBookChain<Answer & BookedPlace>(context, request, shipments, answer),
  );
  switch (outcome) {
    case 'booked':
    case 'answered':
      return response;
    case 'otherRequest':
      throw otherRequest();
    case 'InvalidPupUid':
      throw new ApiError(outcome, `PupUid: there is no pick up point ${request.pupUid}`);
    case 'InvalidUserUid':
      throw new ApiError(outcome, `There is no account ${String(response)}`);
    case 'InvalidLockerUid':
      throw new ApiError(
        outcome,
        `LockerUid: the pick up point ${request.pupUid} has no locker ${request.lockerUid}`,
      );
    default:
      throw await noLocker(context, request, outcome, mayEmpty(shipments));
  }
}

interface BookingAnswer<Response> {
  readonly outcome:
    | 'booked'
    | 'answered'
    | 'otherRequest'
    | 'InvalidPupUid'
    | 'InvalidUserUid'
    | 'InvalidLockerUid'
    | NoLockerOutcome;
  readonly response: Response;
}

async function callBookChain<Response>(
  context: Context,
  request: BookingRequest,
  shipments: readonly PlannedShipment[],
  answer: object,
): Promise<BookingAnswer<Response>> {
  const { sides, allowLargerLockers, allowOverflowLockers } = roomOf(request);
  const { keyHash, requestHash } = answerKeyOf(context, request);
  try {
    const outcome = await book(context.database, {
      tenant_id: context.tenantId,
      pup_uid: request.pupUid,
      locker_uid: request.lockerUid ?? null,
      small_side: sides.smallSide,
      middle_side: sides.middleSide,
      large_side: sides.largeSide,
      allow_larger: allowLargerLockers,
      allow_overflow: allowOverflowLockers,
      may_empty: mayEmpty(shipments),
      named_user_uids: namedUsers(context, shipments),
      shipments: begunRows(shipments),
      response: answer,
      operation: context.operation,
      key_hash: keyHash && byteaOf(keyHash),
      request_hash: requestHash && byteaOf(requestHash),
      client_id: context.clientId,
      on_behalf_of: context.onBehalfOf,
      request_id: context.requestId,
      uids: subjectsOf(answer),
    });
    return outcome as BookingAnswer<Response>;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === NO_ACCESS_CODE_LEFT)) throw error;
    throw new ApiError(
      'NoLockerAvailable',
      'Nearly every access code of the pick up point is in use: choose another pick up point, or try again when a shipment has ended',
    );
  }
}

/** Whether it gets a locker that is to be emptied, if it names that. */
const mayEmpty = (shipments: readonly PlannedShipment[]): boolean =>
  shipments.every(({ shipmentType }) => shipmentType === 'CollectOnlyShipment');

/** As Postgres reads it from a text. */
const byteaOf = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

function begunRows(shipments: readonly PlannedShipment[]): object[] {
  const outcome = applyToChain([], { type: 'Booked', shipments });
  if (!outcome.applied) throw new TypeError(`a new chain was refused by ${outcome.refusal.rule}`);
  return outcome.changes.map((change, index) => {
    const [planned, begun] = [shipments[index], outcome.chain[index]];
    if (!planned || !begun) throw new TypeError('a new chain has a change without its shipment');
    return shipmentRow({ ...planned, fromUserUid: begun.fromUserUid, isStock: begun.isStock }, change);
  });
}

/** Users that the caller named: they may not exist. */
function namedUsers({ dispatcherUserUid }: Context, shipments: readonly PlannedShipment[]): string[] {
  const uids = shipments.flatMap(({ fromUserUid, toUserUid }) => [fromUserUid, toUserUid]);
  return [...new Set(uids)].filter((uid): uid is string => uid !== null && uid !== dispatcherUserUid);
}
