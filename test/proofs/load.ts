// Callers at work at once on chains that they share: random operations, each with an Idempotency-Key, sent again until
// there is an answer, whatever happens to the service meanwhile.

import { randomInt, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { operationRow } from '../../contract/index.ts';
import { untilDone } from '../../scripts/cluster/temporal/until-it-works.ts';
import type { Database } from '../../service/storage/database.ts';
import type { Caller, Reply } from '../support/caller.ts';
import { type Booking, beginningCall, type Call, moveCall } from '../support/chains/chain-calls.ts';
import { type Beginning, beginnings, type MoveName, moves } from '../support/chains/chain-moves.ts';
import { storedShipments } from '../support/chains/stored-shipments.ts';

const beginningNames = Object.keys(beginnings) as Beginning[];
const moveNames = Object.keys(moves) as MoveName[];

export interface LoadOptions {
  readonly database: Kysely<Database>;
  readonly call: Caller;
  readonly pupUids: readonly string[];
  readonly workers: number;
  /** Asked before each call. */
  readonly isOver: (tally: Tally) => boolean;
}

export interface Tally {
  answers: number;
  /** Uids of the shipments that an answer told of as booked. */
  readonly booked: Set<string>;
  /** How often each operation ended how. */
  readonly outcomes: Map<string, number>;
  /** Answers that nobody should get, in words. */
  readonly wrong: string[];
  /** Calls that were sent more than once before there was an answer. */
  repeated: number;
}

/** The tally is kept while the load runs; `done` when every call that was begun has its answer. */
export function startLoad(options: LoadOptions): { readonly tally: Tally; readonly done: Promise<unknown> } {
  const tally: Tally = { answers: 0, booked: new Set(), outcomes: new Map(), wrong: [], repeated: 0 };
  const workers = Array.from({ length: options.workers }, () => work(options, tally));
  return { tally, done: Promise.all(workers) };
}

async function work(options: LoadOptions, tally: Tally): Promise<void> {
  while (!options.isOver(tally)) {
    const { name, body } = await randomCall(options, [...tally.booked]);
    const reply = await answerTo({ name, body }, options.call, tally);
    const error = reply.body.success === true ? 'success' : String(reply.body.error);
    tally.answers += 1;
    tally.outcomes.set(`${name} ${error}`, (tally.outcomes.get(`${name} ${error}`) ?? 0) + 1);
    const permitted: readonly string[] = ['success', ...operationRow(name).errors];
    if (!permitted.includes(error)) tally.wrong.push(`${name} ${JSON.stringify(body)}: ${error}`);
    for (const uid of uidsOf(reply)) tally.booked.add(uid);
  }
}

const pick = <Each>(all: readonly Each[]): Each => {
  const each = all[randomInt(all.length)];
  if (each === undefined) throw new TypeError('expected at least one to pick from');
  return each;
};

async function randomCall({ database, pupUids }: LoadOptions, uids: readonly string[]): Promise<Call> {
  const booking: Booking = {
    pupUid: pick(pupUids),
    dimension: { width: 10, height: 10, length: 10 },
    allowLargerLockers: randomInt(2) === 0,
    allowOverflowLockers: randomInt(2) === 0,
  };
  // Mostly the youngest, so that several are at work on the same chain.
  const recent = uids.slice(-20);
  if (recent.length === 0 || randomInt(4) === 0) return beginningCall(pick(beginningNames), booking);
  const [on] = await untilDone(() => storedShipments(database, [pick(recent)]));
  if (!on) throw new Error('an acknowledged shipment is not there');
  const { shipmentUid, pupUid, lockerName } = on;
  const [pickUpCode, deliveryCode] = [on.pickUpCode ?? '000000', on.deliveryCode ?? '000000'];
  const swap = { ...booking, pupUid };
  return moveCall(pick(moveNames), {
    shipmentUid,
    pupUid,
    lockerName,
    booking: swap,
    pickUpCode,
    deliveryCode,
  });
}

/** No answer, or one of 5xx, says nothing about the outcome: the same again, with the same key. */
async function answerTo({ name, body }: Call, call: Caller, tally: Tally): Promise<Reply> {
  const headers = { 'idempotency-key': randomUUID() };
  let attempts = 0;
  return untilDone(async () => {
    attempts += 1;
    if (attempts === 2) tally.repeated += 1;
    const reply = await call(name, body, headers);
    if (reply.status >= 500) throw new Error(`${name} was answered with ${JSON.stringify(reply.body)}`);
    return reply;
  });
}

function uidsOf({ body }: Reply): string[] {
  if (body.success !== true) return [];
  if (Array.isArray(body.shipmentUids)) return body.shipmentUids.map(String);
  return typeof body.shipmentUid === 'string' ? [body.shipmentUid] : [];
}
