// The locker service as a component of the local installation: a separate process, in staging mode unless SERVICE_MODE says
// production. In staging the walls of the demo tenant are another.
import { ensureDemoWalls } from '../demo-walls.ts';
import { encryptionKey } from '../key-files.ts';
import { LOOPBACK } from '../ports.ts';
import type { LocalSettings } from '../settings.ts';
import type { Component } from './components.ts';
import { databaseComponent } from './database.ts';
import { processComponent } from './process.ts';

// Shorter than the supervisor's limit, so that the service cuts requests under way, and not a kill.
const STOP_GRACE_SECONDS = '5';

/** The service, after the embedded database if no other is set. */
export function serviceComponents(settings: LocalSettings): Component[] {
  const { databaseUrl } = settings;
  if (databaseUrl !== undefined) {
    const url = () => databaseUrl;
    return [withOwnDatabase(serviceComponent(settings, url)), ...wallParts(settings, url)];
  }
  const database = databaseComponent(settings);
  return [database, serviceComponent(settings, database.url), ...wallParts(settings, database.url)];
}

/** In production there is no demo tenant, and its operator connects the walls. */
const wallParts = (settings: LocalSettings, databaseUrl: () => string): Component[] =>
  mode() === 'staging' ? [wallComponent(settings, databaseUrl)] : [];

const mode = () => process.env.SERVICE_MODE || 'staging';

/** A variable that is left in a shell is easily forgotten. */
function withOwnDatabase(component: Component): Component {
  return {
    ...component,
    start: (say) =>
      component.start(say).catch((cause: Error) => {
        const advice = 'DATABASE_URL names its database: without it npm start brings a Postgres of its own';
        throw new Error(`${cause.message} (${advice})`, { cause });
      }),
  };
}

function serviceComponent({ home, servicePort }: LocalSettings, databaseUrl: () => string): Component {
  return processComponent({
    name: 'Service',
    home,
    ports: { SERVICE_PORT: servicePort },
    entry: 'service/main.ts',
    address: `http://127.0.0.1:${servicePort}`,
    env: async () => ({
      SERVICE_ENCRYPTION_KEY: process.env.SERVICE_ENCRYPTION_KEY || (await encryptionKey(home)),
      SERVICE_MODE: mode(),
      SERVICE_STOP_GRACE_SECONDS: process.env.SERVICE_STOP_GRACE_SECONDS ?? STOP_GRACE_SECONDS,
      SERVICE_PORT: String(servicePort),
      DATABASE_URL: databaseUrl(),
    }),
  });
}

/** It is ready when every wall is connected. */
export function wallComponent(
  { home, servicePort, wallPort }: LocalSettings,
  databaseUrl: () => string,
): Component {
  return processComponent({
    name: 'Wall',
    home,
    ports: { WALL_PORT: wallPort },
    entry: 'service/simulated-wall/main.ts',
    address: `http://${LOOPBACK}:${wallPort}`,
    env: async () => ({
      LOCKERFLOW_HOME: home,
      WALL_FILE: process.env.WALL_FILE || (await ensureDemoWalls(home, databaseUrl())),
      WALL_SERVICE_URL: process.env.WALL_SERVICE_URL || `http://${LOOPBACK}:${servicePort}`,
      WALL_HOST: process.env.WALL_HOST || LOOPBACK,
      WALL_PORT: String(wallPort),
    }),
  });
}
