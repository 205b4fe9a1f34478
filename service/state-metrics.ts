// What is in the database and an operator asks at night: callbacks that wait, receivers that are down, walls that are away.
// Looked up at each scrape; every instance tells the same.
import { type Kysely, sql } from 'kysely';
import { TimeLimit } from '../shared/limits/time-limit.ts';
import { gauges } from '../shared/telemetry/metrics.ts';
import { isWallConnected } from './hardware/wall-commands.ts';
import type { Database } from './storage/database.ts';

// A database that does not answer must not keep the other metrics from Prometheus, which waits for 10 s.
const WITHIN_MS = 2_000;
// In a long queue the oldest event is looked for among those that have been due the longest: the answer is off by at most
// the longest pause between two attempts.
const LOOKED_AT = 10_000;

interface State {
  readonly due: number;
  readonly sending: number;
  readonly later: number;
  readonly oldestSeconds: number;
  readonly receiversDown: number;
  readonly wallsConnected: number;
  readonly wallsAway: number;
}

export function measureState(database: Kysely<Database>): void {
  let looking: Promise<State> | undefined;
  /** One at a time: scrapes of a database that does not answer must not pile up. */
  const look = () => {
    looking ??= stateOf(database).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  gauges(
    {
      lockerflow_database_answers: 'Whether Postgres has answered this scrape within 2 s.',
      lockerflow_callback_shipments:
        'Shipments with callbacks to send: due, sending, later (after a failure).',
      lockerflow_callback_oldest_seconds: 'Age of the oldest callback that waits.',
      lockerflow_callback_receivers_down: 'Tenants whose receiver counts as down.',
      lockerflow_walls: 'Walls with credentials: connected and away.',
    },
    async (report) => {
      using limit = new TimeLimit(WITHIN_MS);
      const state = await limit.race(look()).catch(() => undefined);
      report('lockerflow_database_answers', state ? 1 : 0);
      if (!state) return;
      for (const name of ['due', 'sending', 'later'] as const)
        report('lockerflow_callback_shipments', state[name], { state: name });
      report('lockerflow_callback_oldest_seconds', state.oldestSeconds);
      report('lockerflow_callback_receivers_down', state.receiversDown);
      report('lockerflow_walls', state.wallsConnected, { state: 'connected' });
      report('lockerflow_walls', state.wallsAway, { state: 'away' });
    },
  );
}

async function stateOf(database: Kysely<Database>): Promise<State> {
  const { rows } = await sql<State>`
    with queued as (
      select count(*) filter (where due_at <= now()) as due,
        count(*) filter (where due_at > now() and lease_id is not null) as sending,
        count(*) filter (where due_at > now() and lease_id is null) as later
      from callback_queue
    ), longest_due as (
      select shipment_id from callback_queue order by due_at limit ${LOOKED_AT}
    ), oldest as (
      select min(first.created_at) as created_at from longest_due cross join lateral (
        select created_at from shipment_events event
        where event.shipment_id = longest_due.shipment_id and event.is_pending order by event_id limit 1) as first
    ), connections as (
      select ${isWallConnected} as is_connected
      from (select distinct wall_pick_up_point_id as pick_up_point_id from api_clients
        where wall_pick_up_point_id is not null and revoked_at is null) as expected
      left join walls as wall using (pick_up_point_id)
    )
    select due, sending, later,
      coalesce(greatest(extract(epoch from now() - oldest.created_at), 0), 0)::float8 as "oldestSeconds",
      (select count(*) from callback_outages) as "receiversDown",
      (select count(*) from connections where is_connected) as "wallsConnected",
      (select count(*) from connections where not is_connected) as "wallsAway"
    from queued, oldest
  `.execute(database);
  const [state] = rows;
  if (!state) throw new TypeError('expected one row of what the service is asked at night');
  return state;
}
