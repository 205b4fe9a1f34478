// The settings of a local installation in the environment, with defaults. One error names every wrong value.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { LockerApi } from '../shared/locker-api/index.ts';
import { newKeyLine } from '../shared/settings/key-ring.ts';
import { readSettings, wholeNumber } from '../shared/settings/values.ts';

const port = wholeNumber(1, 65_535);

const schema = z.object({
  /** The folder with the data of a local installation. */
  LOCKERFLOW_HOME: z
    .string()
    .min(1)
    .default(join(import.meta.dirname, '..', '.lockerflow')),
  /** Your own Postgres; without it an embedded one is started. */
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a URL like postgres://user@host/name' })
    .optional(),
  POSTGRES_PORT: port.default(54320),
  SERVICE_PORT: port.default(8080),
  CALLBACK_PORT: port.default(8090),
  WORKER_PORT: port.default(8091),
  CONSOLE_PORT: port.default(8088),
  WALL_PORT: port.default(8089),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_PORT: port.default(8233),
});

export type LocalSettings = Readonly<ReturnType<typeof readLocalSettings>>;

export function readLocalSettings(env: Readonly<Record<string, string | undefined>>) {
  const data = readSettings('These settings are wrong', schema, env);
  return {
    home: resolve(data.LOCKERFLOW_HOME),
    databaseUrl: data.DATABASE_URL,
    postgresPort: data.POSTGRES_PORT,
    servicePort: data.SERVICE_PORT,
    callbackPort: data.CALLBACK_PORT,
    workerPort: data.WORKER_PORT,
    consolePort: data.CONSOLE_PORT,
    wallPort: data.WALL_PORT,
    temporalPort: data.TEMPORAL_PORT,
    temporalUiPort: data.TEMPORAL_UI_PORT,
  };
}

// How the local orchestrator reaches the locker API: our service with the demo tenant, or a vendor's if the environment
// names one.

export interface LockerSettings {
  /** The environment of worker and receiver; variables from outside do not change. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it is the service of this installation: then we set its callback address. */
  readonly isOurs: boolean;
  readonly api: () => LockerApi;
}

export function lockerSettings({ servicePort }: Pick<LocalSettings, 'servicePort'>): LockerSettings {
  const url = `http://127.0.0.1:${servicePort}`;
  const { LOCKER_API_URL: apiUrl = url } = process.env;
  const env = {
    LOCKER_API_URL: apiUrl,
    LOCKER_AUTH_URL: process.env.LOCKER_AUTH_URL ?? apiUrl,
    LOCKER_CLIENT_ID: process.env.LOCKER_CLIENT_ID ?? 'demo',
    LOCKER_CLIENT_SECRET: process.env.LOCKER_CLIENT_SECRET ?? 'demo-secret',
    LOCKER_CAPABILITIES:
      process.env.LOCKER_CAPABILITIES ??
      (apiUrl === url ? 'getShipments,idempotencyKey,accessCodes,accessMessages' : ''),
  };
  return {
    env,
    isOurs: apiUrl === url,
    api: () =>
      new LockerApi({
        apiUrl,
        authUrl: env.LOCKER_AUTH_URL,
        clientId: env.LOCKER_CLIENT_ID,
        clientSecret: env.LOCKER_CLIENT_SECRET,
      }),
  };
}

/** The key that the local service signs its callbacks with and the local receiver checks. */
export const callbackKey = (home: string): Promise<string> =>
  keyIn(home, 'callback-key', () => `whsec_${randomBytes(32).toString('base64')}`);

/** The key that encrypts the keys in the service's database. Without this file a kept database cannot be used. */
export const encryptionKey = (home: string): Promise<string> => keyIn(home, 'encryption-key', newKeyLine);

async function keyIn(home: string, name: string, newKey: () => string): Promise<string> {
  const file = join(home, name);
  await mkdir(home, { recursive: true });
  try {
    // Only one of two starts at once makes it; the other reads that one.
    await writeFile(file, `${newKey()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}

// DATABASE_URL for the commands of the service names the Postgres that `npm start` itself starts. A shell that still has it
// must not make `npm start` wait for that Postgres as for somebody else's.

export const urlFile = (home: string): string => join(home, 'postgres', 'url');

/** Takes such a variable away, before its file is read: it need not exist yet. Gives what to tell of it. */
export function forgetOwnDatabase(
  variables: Record<string, string | undefined>,
  home: string,
): string | undefined {
  const file = urlFile(home);
  for (const [name, isOwn] of [
    ['DATABASE_URL_FILE', (value: string) => resolve(value) === resolve(file)],
    ['DATABASE_URL', (value: string) => value === urlIn(file)],
  ] as const) {
    const value = variables[name];
    if (!value || !isOwn(value)) continue;
    delete variables[name];
    return `${name} names the Postgres of this installation, which npm start starts itself, so it is ignored`;
  }
  return undefined;
}

/** Undefined before the first start. */
function urlIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
