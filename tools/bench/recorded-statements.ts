// The statements that the service sends for a request, recorded in this process without their effect, and sent again by pg
// alone: what the same change costs as bare SQL.
import pg from 'pg';
import { createLog } from '../../service/log.ts';
import { createService } from '../../service/server.ts';
import { readSettings } from '../../service/settings.ts';
import { openDatabase } from '../../service/storage/database.ts';
import { useFunctions } from '../../service/storage/functions.ts';
import { SwitchBoard } from '../../service/switches/switch-board.ts';
import { CONNECTIONS, clientOf, type ServiceClient, serviceVariables } from './loaded-service.ts';

interface Statement {
  /** The name of a statement that each connection prepares once. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Sent together, before any of their answers was there. */
interface Group {
  readonly isInTransaction: boolean;
  readonly statements: Statement[];
}

export type Recorded = readonly Group[];

/** Statements of no single request: cached for seconds, or sent afterwards for many at once. */
const BESIDE = /sandbox_switches|api_clients|callbacks_due/;

export interface Recorder {
  record(act: (client: ServiceClient) => Promise<unknown>): Promise<Recorded>;
  close(): Promise<void>;
}

/** One at a time. Each transaction is rolled back where it would be committed. */
export async function recorderOn(url: string): Promise<Recorder> {
  const settings = readSettings({
    ...serviceVariables(url),
    SERVICE_PORT: '0',
    SERVICE_CALLBACK_SENDER: 'off',
    SERVICE_LOG_LEVEL: 'silent',
  });
  const database = openDatabase({
    url,
    connections: settings.databaseConnections,
    onBrokenConnection: () => undefined,
  });
  const switchBoard = new SwitchBoard(database, settings.mode);
  const service = createService(settings, { database, switchBoard, log: createLog(settings.logLevel) });
  const client = await clientOf(await service.listen());
  return {
    record: (act) => recorded(() => act(client)),
    async close() {
      await client.close();
      await service.close();
      await database.destroy();
    },
  };
}

async function recorded(act: () => Promise<unknown>): Promise<Recorded> {
  const groups: Group[] = [];
  const outstanding = new Map<pg.Client, number>();
  const transactions = new Set<pg.Client>();
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [sent, more = []] = given as [string | Statement, (readonly unknown[])?];
    const { name, text, values } =
      typeof sent === 'string' ? { name: undefined, text: sent, values: more } : sent;
    if (BESIDE.test(text) || text === useFunctions) return Reflect.apply(original, this, given) as never;
    if (text === 'begin') transactions.add(this);
    const isInTransaction = transactions.has(this);
    const before = outstanding.get(this) ?? 0;
    const group = before > 0 ? groups.at(-1) : undefined;
    const statement = { name, text, values };
    if (group) group.statements.push(statement);
    else groups.push({ isInTransaction, statements: [statement] });
    outstanding.set(this, before + 1);
    const answer = Reflect.apply(original, this, text === 'commit' ? ['rollback'] : given).then(
      // Kysely looks whether it was committed.
      (result: object) => (text === 'commit' ? Object.assign(result, { command: 'COMMIT' }) : result),
    ) as Promise<unknown>;
    const answered = () => void outstanding.set(this, (outstanding.get(this) ?? 0) - 1);
    answer.then(answered, answered);
    return answer as never;
  } as unknown as typeof original;
  try {
    await act();
    return groups;
  } finally {
    pg.Client.prototype.query = original;
  }
}

export interface Floor {
  send(recorded: Recorded): Promise<void>;
  close(): Promise<void>;
}

export function floorOn(url: string): Floor {
  const newPool = () => {
    const pool = new pg.Pool({
      connectionString: url,
      max: CONNECTIONS,
      idleTimeoutMillis: 0,
      pipeline: true,
    });
    pool.on('connect', (client) => void client.query(useFunctions));
    return pool;
  };
  const transactions = newPool();
  const others = newPool();
  return {
    async send(groups) {
      const client = await transactions.connect();
      try {
        for (const { isInTransaction, statements } of groups)
          await Promise.all(
            statements.map(({ name, text, values }) =>
              (isInTransaction ? client : others).query({ ...(name && { name }), text, values: [...values] }),
            ),
          );
      } finally {
        client.release();
      }
    },
    async close() {
      await transactions.end();
      await others.end();
    },
  };
}
