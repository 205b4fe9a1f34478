// The service on a free port of 127.0.0.1 with a database of its own, for one callback or one test file.
import { createLog } from '../../service/log.ts';
import { createService, type Dependencies } from '../../service/server.ts';
import { readSettings, type Settings } from '../../service/settings.ts';
import { createDatabase, type TestDatabase } from './database.ts';

export interface TestService extends AsyncDisposable, TestDatabase {
  readonly address: string;
  readonly settings: Settings;
  /** Every log line since the start, parsed. */
  readonly logLines: readonly Record<string, unknown>[];
  /** Stops the service before the end of the test, as a signal would. */
  close(): Promise<void>;
}

/** For a whole test file: make it in beforeAll, dispose of it in afterAll. */
export async function createTestService(
  changes: Partial<Settings> = {},
  dependencies: Partial<Dependencies> = {},
): Promise<TestService> {
  const testDatabase = await createDatabase();
  const { url, database } = testDatabase;
  const settings = {
    ...readSettings({ DATABASE_URL: url, SERVICE_MODE: 'staging', SERVICE_PORT: '0' }),
    ...changes,
  };
  const logLines: Record<string, unknown>[] = [];
  const log = createLog('debug', { write: (line: string) => void logLines.push(JSON.parse(line)) });
  const service = createService(settings, { database, log, ...dependencies });
  const address = await service.listen();
  return {
    address,
    settings,
    url,
    database,
    logLines,
    close: () => service.close(),
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await testDatabase[Symbol.asyncDispose]();
    },
  };
}

export async function withService<Result>(
  work: (service: TestService) => Promise<Result>,
  changes: Partial<Settings> = {},
): Promise<Result> {
  await using service = await createTestService(changes);
  return await work(service);
}
