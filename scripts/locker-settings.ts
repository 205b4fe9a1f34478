// How the local orchestrator reaches the locker API: our service with the demo tenant, or a vendor's if the environment
// names one.
import { LockerApi } from '../shared/locker-api/index.ts';
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
