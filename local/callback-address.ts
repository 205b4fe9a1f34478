// Tells the service where callbacks go and how they are signed. As a process, for an installation of containers:
// LOCKER_API_URL, LOCKER_AUTH_URL, LOCKER_CLIENT_ID, LOCKER_CLIENT_SECRET, LOCKER_CALLBACK_KEY and CALLBACK_URL say it.
import { LockerApi } from '../activities/api/index.ts';

export async function tellCallbackAddress(locker: LockerApi, url: string, authKey: string): Promise<void> {
  await locker.call('ConfigureCallback', { url, authType: 'HMAC', authKey });
}

async function tellAsTheEnvironmentSays(): Promise<void> {
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
