// The service as a process of its own on a real Postgres that syncs every commit, with the demo data, for one benchmark.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type OperationName, operationRow, TOKEN_PATH, tokenResponse } from '../contract/index.ts';
import { startPostgres } from '../local/postgres.ts';

export interface LocalService extends AsyncDisposable {
  readonly address: string;
  /** Calls an operation as tenant demo; throws unless it succeeds. */
  call(name: OperationName, body: object | FormData): Promise<Record<string, unknown>>;
}

export async function startLocalService(): Promise<LocalService> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
  const postgres = await startPostgres({ folder, port: 0 });
  const service = spawn(process.execPath, [join(import.meta.dirname, '../service/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: postgres.url, SERVICE_MODE: 'staging', SERVICE_PORT: '0' },
  });
  const address = await addressOf(service);
  const authorization = `Bearer ${await accessToken(address)}`;
  return {
    address,
    async call(name, body) {
      const isForm = body instanceof FormData;
      const response = await fetch(address + operationRow(name).path, {
        method: 'POST',
        headers: { authorization, ...(!isForm && { 'content-type': 'application/json' }) },
        body: isForm ? body : JSON.stringify(body),
      });
      const answer = Object(await response.json());
      if (answer.success !== true) throw new Error(`${name}: ${answer.error}: ${answer.message}`);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(service, 'exit');
      service.kill('SIGTERM');
      await ended;
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As the log tells it; the log is read to its end, or the service would wait for a reader. */
function addressOf(service: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!service.stdout) throw new TypeError('The log of the service is not piped');
    createInterface({ input: service.stdout }).on('line', (line) => {
      const { address } = JSON.parse(line) as { address?: string };
      if (address !== undefined) resolve(address);
    });
    service.once('exit', (code) => reject(new Error(`The service ended with ${code}`)));
  });
}

async function accessToken(address: string): Promise<string> {
  const response = await fetch(address + TOKEN_PATH, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo',
      client_secret: 'demo-secret',
      scope: 'integration_api',
    }),
  });
  return tokenResponse.parse(await response.json()).access_token;
}
