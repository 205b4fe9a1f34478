// How the local orchestrator reaches the locker API: our service with the demo tenant, or a vendor's if the environment
// names one.
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LockerApi } from '../shared/locker-api/index.ts';
import { newKeyLine } from '../shared/settings/key-ring.ts';
import { ownFolder } from './own-folder.ts';
import type { LocalSettings } from './settings.ts';

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
  await ownFolder(home);
  try {
    // Only one of two starts at once makes it; the other reads that one.
    await writeFile(file, `${newKey()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
