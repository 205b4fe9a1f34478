// The service as a process of its own on a real Postgres that syncs every commit, with the demo data, for one benchmark.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OperationName, operationRow } from '../../contract/index.ts';
import { startPostgres } from '../../local/postgres/postgres.ts';
import { newKeyLine } from '../../runtime/settings/key-ring.ts';
import { newToken, succeeded } from './loaded-service.ts';
import { startLocalProcess } from './local-process.ts';

export interface LocalService extends AsyncDisposable {
  readonly address: string;
  readonly databaseUrl: string;
  /** Calls an operation as tenant demo; throws unless it succeeds. */
  call(name: OperationName, body: object | FormData): Promise<Record<string, unknown>>;
}

export async function startLocalService(): Promise<LocalService> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
  const postgres = await startPostgres({ folder, port: 0 });
  const service = await startLocalProcess('service/main.ts', 'service started', {
    DATABASE_URL: postgres.url,
    SERVICE_MODE: 'staging',
    SERVICE_PORT: '0',
    SERVICE_ENCRYPTION_KEY: newKeyLine(),
  });
  const address = String(service.up.address);
  const { authorization } = await newToken(address);
  return {
    address,
    databaseUrl: postgres.url,
    async call(name, body) {
      const isForm = body instanceof FormData;
      const response = await fetch(address + operationRow(name).path, {
        method: 'POST',
        headers: { authorization, ...(!isForm && { 'content-type': 'application/json' }) },
        body: isForm ? body : JSON.stringify(body),
      });
      return succeeded(name, Object(await response.json()));
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
