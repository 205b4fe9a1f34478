// The service on a free port of 127.0.0.1 with a database of its own, for one callback or one test file.
import { createLog } from '../../service/log.ts';
import { createService, type Dependencies } from '../../service/server.ts';
import { readSettings, type Settings } from '../../service/settings.ts';
import { openDatabase } from '../../service/storage/database.ts';
import { SwitchBoard } from '../../service/switches/switches.ts';
import { createDatabase, type TestDatabase } from './database.ts';

export interface ServiceInstance extends AsyncDisposable {
  readonly address: string;
  readonly settings: Settings;
  /** The one of this instance, for a sender beside it. */
  readonly switchBoard: SwitchBoard;
  /** Every log line since the start, parsed. */
  readonly logLines: readonly Record<string, unknown>[];
  /** Stops the service before the end of the test, as a signal would. */
  close(): Promise<void>;
}

export interface TestService extends ServiceInstance, TestDatabase {
  /** Starts one more instance on the same database, with connections of its own. */
  anotherInstance(): Promise<ServiceInstance>;
}

/** For a whole test file: make it in beforeAll, dispose of it in afterAll. */
export async function createTestService(
  changes: Partial<Settings> = {},
  dependencies: Partial<Dependencies> = {},
): Promise<TestService> {
  const testDatabase = await createDatabase(changes.databaseConnections);
  const instance = await startInstance(testDatabase, changes, dependencies);
  return {
    ...testDatabase,
    ...instance,
    async anotherInstance() {
      const connections = changes.databaseConnections ?? 20;
      const database = openDatabase({
        url: testDatabase.url,
        connections,
        onBrokenConnection: () => undefined,
      });
      const other = await startInstance({ ...testDatabase, database }, changes, dependencies);
      const close = async () => {
        await other.close();
        await database.destroy();
      };
      return { ...other, close, [Symbol.asyncDispose]: close };
    },
    [Symbol.asyncDispose]: async () => {
      await instance.close();
      await testDatabase[Symbol.asyncDispose]();
    },
  };
}

async function startInstance(
  { url, database }: TestDatabase,
  changes: Partial<Settings>,
  dependencies: Partial<Dependencies>,
): Promise<ServiceInstance> {
  const settings = {
    ...readSettings({
      DATABASE_URL: url,
      SERVICE_MODE: 'staging',
      SERVICE_PORT: '0',
      SERVICE_ENCRYPTION_KEY: process.env.SERVICE_ENCRYPTION_KEY,
    }),
    ...changes,
  };
  const logLines: Record<string, unknown>[] = [];
  const log = createLog('debug', { write: (line: string) => void logLines.push(JSON.parse(line)) });
  const switchBoard = new SwitchBoard(database, settings.mode);
  const { listen, close } = createService(settings, { database, switchBoard, log, ...dependencies });
  return { address: await listen(), settings, switchBoard, logLines, close, [Symbol.asyncDispose]: close };
}

export async function withService<Result>(
  work: (service: TestService) => Promise<Result>,
  changes: Partial<Settings> = {},
  dependencies: Partial<Dependencies> = {},
): Promise<Result> {
  await using service = await createTestService(changes, dependencies);
  return await work(service);
}
