// The locker service as a part of the local installation: a separate process, in staging mode unless SERVICE_MODE says
// production.

import { encryptionKey } from '../key-files.ts';
import type { LocalSettings } from '../settings.ts';
import { databasePart } from './database-part.ts';
import type { Part } from './parts.ts';
import { processPart } from './process-part.ts';

// Shorter than the supervisor's limit, so that the service cuts requests under way, and not a kill.
const STOP_GRACE_SECONDS = '5';

/** The service, after the embedded database if no other is set. */
export function serviceParts(settings: LocalSettings): Part[] {
  const { databaseUrl } = settings;
  if (databaseUrl !== undefined) return [servicePart(settings, () => databaseUrl)];
  const database = databasePart(settings);
  return [database, servicePart(settings, database.url)];
}

function servicePart({ home, servicePort }: LocalSettings, databaseUrl: () => string): Part {
  return processPart({
    name: 'Service',
    home,
    ports: { SERVICE_PORT: servicePort },
    entry: 'service/main.ts',
    address: `http://127.0.0.1:${servicePort}`,
    env: async () => ({
      SERVICE_ENCRYPTION_KEY: process.env.SERVICE_ENCRYPTION_KEY || (await encryptionKey(home)),
      SERVICE_MODE: process.env.SERVICE_MODE ?? 'staging',
      SERVICE_STOP_GRACE_SECONDS: process.env.SERVICE_STOP_GRACE_SECONDS ?? STOP_GRACE_SECONDS,
      SERVICE_PORT: String(servicePort),
      DATABASE_URL: databaseUrl(),
    }),
  });
}
