// Ended cases for a benchmark, by the hundred thousand: copies of one that has really ended, in the table of what Temporal's
// development server searches. Nothing else has them: they have no history.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

/** So many in a transaction: between two of them the server writes. */
const CHUNK = 5_000;
const PAUSE_MS = 10;
const APART_MS = 60_000;

export interface EndedCases {
  /** Of Temporal's development server. */
  readonly file: string;
  /** Of the case that is copied. */
  readonly workflowId: string;
  readonly count: number;
  /** The search attributes of a copy, as JSON, by those of the case. */
  attributesOf(number: number, attributes: string): string;
}

/**
 * Each has ended a minute before the one that was copied before it, as cases do that end one after the other. The table has some 60
 * indexes, most of them over nothing but these moments: in another order each row changes a page of each of them, and 100,000 rows
 * take hours.
 */
export async function copyEndedCases({ file, workflowId, count, attributesOf }: EndedCases): Promise<void> {
  const database = new DatabaseSync(file, { timeout: 60_000 });
  try {
    // In kB, as a negative number.
    database.exec('pragma cache_size = -400000');
    // The server syncs what is its own; a copy that is lost with the machine is lost with the benchmark.
    database.exec('pragma synchronous = off');
    const row = database
      .prepare('select * from executions_visibility where workflow_id = ? and close_time is not null')
      .get(workflowId) as Record<string, string> | undefined;
    if (!row) throw new Error(`${workflowId} has not ended yet`);
    const columns = database
      .prepare('pragma table_xinfo(executions_visibility)')
      .all()
      .filter(({ hidden }) => hidden === 0)
      .map(({ name }) => String(name));
    const insert = database.prepare(
      `insert into executions_visibility (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    );
    for (let from = 0; from < count; from += CHUNK) {
      database.exec('begin immediate');
      for (let number = from; number < Math.min(count, from + CHUNK); number++) {
        const runId = randomUUID();
        const before = (name: string) => momentBefore(row[name] ?? '', (number + 1) * APART_MS);
        const own: Record<string, string> = {
          run_id: runId,
          root_run_id: runId,
          workflow_id: `ended-${number}`,
          root_workflow_id: `ended-${number}`,
          start_time: before('start_time'),
          execution_time: before('execution_time'),
          close_time: before('close_time'),
          search_attributes: attributesOf(number, row.search_attributes ?? ''),
        };
        insert.run(...columns.map((name) => own[name] ?? row[name] ?? null));
      }
      database.exec('commit');
      await delay(PAUSE_MS);
    }
  } finally {
    database.close();
  }
}

/** As the table has them, like `2031-05-01 12:00:00.123+00:00`. */
function momentBefore(moment: string, ms: number): string {
  const time = Date.parse(moment.replace(' ', 'T'));
  if (Number.isNaN(time)) throw new Error(`${moment} is not a moment of the table of what is searched`);
  return new Date(time - ms).toISOString().replace('T', ' ').replace('Z', '+00:00');
}
