// Records the outcome of each attempt in the database. One call has all attempts that ended since the last call, so
// that many deliveries cost few round trips and a single one does not wait.
import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import { repeatedOnConflict } from '../../storage/transaction.ts';
import type { ClaimedCallback } from './claim-callbacks.ts';

/** The type callback_outcome of the migrations. */
export interface Outcome {
  readonly shipment_id: number;
  readonly tenant_id: number;
  readonly lease_id: string;
  readonly event_id: number | null;
  readonly attempt: number;
  readonly is_probe: boolean;
  readonly accepted: boolean | null;
  readonly answer_status: number | null;
  readonly error: string | null;
  readonly milliseconds: number | null;
  readonly delay_ms: number | null;
  readonly receiver: 'up' | 'down' | null;
  readonly pause_ms: number | null;
}

interface OutcomeRecorderOptions {
  readonly leaseMs: number;
  /** The shortest and the longest pause between two probes of a receiver that is down. */
  readonly probePatience: { readonly firstMs: number; readonly lastMs: number };
  readonly onError: (error: unknown) => void;
}

interface Waiting {
  readonly outcome: Outcome;
  /** After this moment, by performance.now(), another sender has the shipment. */
  readonly until: number;
  readonly resolve: (next: ClaimedCallback | undefined) => void;
}

// A change of state holds a row for a moment only. A database that does not answer may take longer.
const PAUSE_MS = 25;
const PAUSE_AFTER_ERROR_MS = 250;

export type RecordOutcome = (outcome: Outcome, leasedAt: number) => Promise<ClaimedCallback | undefined>;

/** Gives the shipment's next callback, under a new lease, if it has one. Never throws: it tries until the lease ends. */
export function outcomeRecorder(database: Kysely<Database>, options: OutcomeRecorderOptions): RecordOutcome {
  let waiting: Waiting[] = [];
  let isWorking = false;

  const putBack = (batch: readonly Waiting[]) => {
    for (const each of batch) {
      if (performance.now() < each.until) waiting.push(each);
      else each.resolve(undefined);
    }
  };

  /** Gives the outcomes that could not be recorded yet. */
  const recordAll = async (batch: readonly Waiting[]): Promise<Waiting[]> => {
    const outcomes = batch.map(({ outcome }) => outcome);
    const { next, busyIds } = await repeatedOnConflict(() => settleCallbacks(database, outcomes, options));
    const nextOf = new Map(next.map((callback) => [callback.shipment_id, callback]));
    const isBusy = ({ outcome }: Waiting) => busyIds.has(outcome.shipment_id);
    for (const each of batch) if (!isBusy(each)) each.resolve(nextOf.get(each.outcome.shipment_id));
    return batch.filter(isBusy);
  };

  /** Never throws. */
  const work = async () => {
    isWorking = true;
    // All attempts that end in this turn of the event loop go into the same call.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const busy = await recordAll(batch);
        if (busy.length === 0) continue;
        putBack(busy);
        await delay(PAUSE_MS);
      } catch (error) {
        options.onError(error);
        putBack(batch);
        await delay(PAUSE_AFTER_ERROR_MS);
      }
    }
    // In the same turn as the last check of the waiting outcomes: a later one starts the work again.
    isWorking = false;
  };

  return (outcome, leasedAt) =>
    new Promise((resolve) => {
      waiting.push({ outcome, until: leasedAt + options.leaseMs, resolve });
      if (!isWorking) void work();
    });
}

async function settleCallbacks(
  database: Kysely<Database>,
  outcomes: readonly Outcome[],
  { leaseMs, probePatience }: OutcomeRecorderOptions,
): Promise<{ next: ClaimedCallback[]; busyIds: Set<number> }> {
  const { rows } = await sql<{ next_ids: number[]; busy_ids: number[] }>`
    select next_ids, busy_ids from settle_callbacks(
      ${JSON.stringify(outcomes)}, ${leaseMs}::float8 * interval '1 millisecond',
      ${probePatience.firstMs}, ${probePatience.lastMs})
  `.execute(database);
  const [settled] = rows;
  if (!settled) throw new TypeError('settle_callbacks gave no row, expected one');
  const busyIds = new Set(settled.busy_ids);
  if (settled.next_ids.length === 0) return { next: [], busyIds };
  const { rows: next } = await sql<ClaimedCallback>`
    select * from callbacks_of(${settled.next_ids}, '{}')
  `.execute(database);
  return { next, busyIds };
}
