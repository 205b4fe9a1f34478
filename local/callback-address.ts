// Configures in the service where callbacks go and how they are signed. Also a process, for an installation with
// containers: LOCKER_API_URL, LOCKER_AUTH_URL, LOCKER_CLIENT_ID, LOCKER_CLIENT_SECRET, LOCKER_CALLBACK_KEY and
// CALLBACK_URL say it.
import { readFileSync } from 'node:fs';
import { LockerApi } from '../activities/api/index.ts';
import { takeSecretsFromFiles } from '../settings/secret-files.ts';

/** During a change of key the receiver has several, separated by blanks: the first one signs. */
export async function tellCallbackAddress(locker: LockerApi, url: string, keys: string): Promise<void> {
  const [authKey = ''] = keys.trim().split(/\s+/);
  await locker.call('ConfigureCallback', { url, authType: 'HMAC', authKey });
}

async function tellAsTheEnvironmentSays(): Promise<void> {
  takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
  const setting = (name: string): string => {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is required`);
    return value;
  };
  await using locker = new LockerApi({
    apiUrl: setting('LOCKER_API_URL'),
    authUrl: setting('LOCKER_AUTH_URL'),
    clientId: setting('LOCKER_CLIENT_ID'),
    clientSecret: setting('LOCKER_CLIENT_SECRET'),
  });
  await tellCallbackAddress(locker, setting('CALLBACK_URL'), setting('LOCKER_CALLBACK_KEY'));
}

if (import.meta.main) {
  try {
    await tellAsTheEnvironmentSays();
  } catch (error) {
    console.error(`callback address: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
