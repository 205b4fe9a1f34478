// Books a new chain into a free locker: one statement, one round trip (book_chain in storage/functions). The rules of
// machines/ decide the first state and the codes of each shipment. SQL decides the locker, under the locks.
import pg from 'pg';
import { applyToChain } from '../../machines/chain.ts';
import { subjectsOf } from '../audit/audit-entry.ts';
import type { Context } from '../handler.ts';
import { answerKeyOf, otherRequest } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import { preparedStatement } from '../storage/prepared.ts';
import { repeatedOnConflict } from '../storage/transaction.ts';
import type { BookingRequest } from './booking-request.ts';
import { type NoLockerOutcome, noLocker } from './no-locker.ts';
import { type PlannedShipment, roomOf, shipmentRow } from './planned-shipment.ts';

export interface BookedPlace {
  readonly pupUid: string;
  readonly lockerName: string;
}

/** The code that book_chain raises when a pick up point has none of its million access codes left. */
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
  ).finally(() => {
    // Also after a failure: Postgres may have committed although the answer was lost.
    if (context.switches.callbackOnCreation) context.dueCallbacks.announce();
  });
  switch (outcome) {
    case 'booked':
    case 'answered':
      return response;
    case 'otherRequest':
      throw otherRequest();
    case 'InvalidPupUid':
      throw new Refusal(outcome, `PupUid: there is no pick up point ${request.pupUid}`);
    case 'InvalidUserUid':
      throw new Refusal(outcome, `There is no account ${String(response)}`);
    case 'InvalidLockerUid':
      throw new Refusal(
        outcome,
        `LockerUid: the pick up point ${request.pupUid} has no locker ${request.lockerUid}`,
      );
    default:
      throw await noLocker(context, request, outcome);
  }
}

interface BookingOutcome<Response> {
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

const bookChainStatement = preparedStatement<BookingOutcome<unknown>>(
  `select * from book_chain($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
);

async function callBookChain<Response>(
  context: Context,
  request: BookingRequest,
  shipments: readonly PlannedShipment[],
  answer: object,
): Promise<BookingOutcome<Response>> {
  const { sides, allowLargerLockers, allowOverflowLockers } = roomOf(request);
  const { tenantId, clientId, onBehalfOf, operation, requestId } = context;
  const { keyHash, requestHash } = answerKeyOf(context, request);
  const mayEmpty = shipments.every(({ shipmentType }) => shipmentType === 'CollectOnlyShipment');
  try {
    const rows = await bookChainStatement.rows(context.database, [
      ...[tenantId, request.pupUid, request.lockerUid ?? null],
      ...[sides.smallSide, sides.middleSide, sides.largeSide],
      ...[allowLargerLockers, allowOverflowLockers, mayEmpty],
      ...[namedUsers(context, shipments), JSON.stringify(begunRows(shipments)), JSON.stringify(answer)],
      ...[context.switches.callbackOnCreation, operation, keyHash, requestHash],
      ...[clientId, onBehalfOf, requestId, subjectsOf(answer)],
    ]);
    const [outcome] = rows as BookingOutcome<Response>[];
    if (!outcome) throw new TypeError('book_chain gave no row, expected one');
    return outcome;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === NO_ACCESS_CODE_LEFT)) throw error;
    throw new Refusal(
      'NoLockerAvailable',
      'Every access code of the pick up point is in use: choose another pick up point, or try again when a shipment has ended',
    );
  }
}

function begunRows(shipments: readonly PlannedShipment[]): object[] {
  const outcome = applyToChain([], { type: 'Booked', shipments });
  if (!outcome.applied) throw new TypeError(`a new chain was refused by ${outcome.refusal.rule}`);
  return outcome.changes.map((change, index) => {
    const [planned, begun] = [shipments[index], outcome.chain[index]];
    if (!planned || !begun) throw new TypeError('a new chain has a change without its shipment');
    return shipmentRow({ ...planned, fromUserUid: begun.fromUserUid }, change);
  });
}

/** Users that the caller named: they may not exist. */
function namedUsers({ dispatcherUserUid }: Context, shipments: readonly PlannedShipment[]): string[] {
  const uids = shipments.flatMap(({ fromUserUid, toUserUid }) => [fromUserUid, toUserUid]);
  return [...new Set(uids)].filter((uid): uid is string => uid !== null && uid !== dispatcherUserUid);
}
