// The connections to Postgres: a service whose requests wait for one is overloaded, or Postgres is slow.
import type { Pool } from 'pg';
import { gauges } from '../../runtime/telemetry/metrics.ts';

export function measurePool(pool: Pool): void {
  gauges(
    {
      lockerflow_database_connections: 'Connections to Postgres, in use and idle.',
      lockerflow_database_connections_limit: 'Connections that this process may have.',
      lockerflow_database_waiting_requests: 'What waits for a connection.',
    },
    (tell) => {
      tell('lockerflow_database_connections', pool.totalCount - pool.idleCount, { state: 'in_use' });
      tell('lockerflow_database_connections', pool.idleCount, { state: 'idle' });
      tell('lockerflow_database_connections_limit', pool.options.max);
      tell('lockerflow_database_waiting_requests', pool.waitingCount);
    },
  );
}
