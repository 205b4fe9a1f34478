// The components of a local installation that run as one program each: the embedded Postgres, Temporal, the service with its walls,
// and the web console, whose link signs one person in, once: the person who ran npm start.

import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { encryptionKey, type LockerSettings } from '../api-settings.ts';
import { urlFile } from '../database-url.ts';
import { ownFolder } from '../own-folder.ts';
import { LOOPBACK } from '../ports.ts';
import { startPostgres } from '../postgres/postgres.ts';
import type { LocalSettings } from '../settings.ts';
import { startTemporalServer } from '../temporal/server.ts';
import type { Component } from './component.ts';
import { processComponent } from './program.ts';

interface EmbeddedPostgres {
  readonly home: string;
  readonly port: number;
  readonly maximumConnections?: number;
  /** Makes what must be in it, from the address of the database postgres; gives what a person is told. */
  readonly prepare: (url: string) => Promise<string>;
}

/** With the address of the database postgres, once started. */
export function postgresComponent(given: EmbeddedPostgres): Component & { url(): string } {
  const { home, port, maximumConnections, prepare } = given;
  const folder = join(home, 'postgres');
  let url: string | undefined;
  return {
    name: 'Postgres',
    logFile: join(folder, 'postgres.log'),
    ports: { POSTGRES_PORT: port },
    url() {
      if (url === undefined) throw new TypeError('The database has no URL before it is started');
      return url;
    },
    async start() {
      await ownFolder(home);
      const postgres = await startPostgres({
        folder,
        port,
        ...(maximumConnections && { maximumConnections }),
      });
      url = postgres.url;
      const line = await prepare(url);
      return { line, ended: postgres.ended, stop: postgres.stop, kill: postgres.kill };
    },
  };
}

/** Those of the databases that there were not yet are made; gives whether there were such. */
export async function createDatabases(postgresUrl: string, names: readonly string[]): Promise<boolean> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const known = new Set(rows.map(({ datname }) => datname));
    const missing = names.filter((name) => !known.has(name));
    for (const name of missing) await client.query(`CREATE DATABASE ${name}`);
    return missing.length > 0;
  } finally {
    await client.end();
  }
}

const DATABASE = 'lockerflow';

export function temporalComponent({ home, temporalPort, temporalUiPort }: LocalSettings): Component {
  const logFile = join(home, 'temporal.log');
  return {
    name: 'Temporal',
    logFile,
    ports: { TEMPORAL_PORT: temporalPort, TEMPORAL_UI_PORT: temporalUiPort },
    async start() {
      await ownFolder(home);
      const log = createWriteStream(logFile, { flags: 'a' });
      const { address, ended, stop, kill } = await startTemporalServer({
        port: temporalPort,
        uiPort: temporalUiPort,
        databaseFile: join(home, 'temporal.sqlite'),
        searchAttributes,
        log,
      });
      return { line: `${address}, Web UI http://${LOOPBACK}:${temporalUiPort}`, ended, stop, kill };
    },
  };
}

// Shorter than the supervisor's limit, so that the service cuts requests under way, and not a kill.
const STOP_GRACE_SECONDS = '5';

/** The service, after the embedded database if no other is set. */
export function serviceComponents(settings: LocalSettings): Component[] {
  const { databaseUrl } = settings;
  if (databaseUrl !== undefined) {
    const url = () => databaseUrl;
    return [withOwnDatabase(serviceComponent(settings, url)), ...wallParts(settings, url)];
  }
  const { home, postgresPort: port } = settings;
  const urlIn = (postgresUrl: string) => new URL(`/${DATABASE}`, postgresUrl).href;
  const database = postgresComponent({
    home,
    port,
    async prepare(postgresUrl) {
      await createDatabases(postgresUrl, [DATABASE]);
      const file = urlFile(home);
      // It holds the password: for its owner only.
      await writeFile(file, `${urlIn(postgresUrl)}\n`, { mode: 0o600 });
      return `${LOOPBACK}:${port}, its URL in ${file}`;
    },
  });
  const url = () => urlIn(database.url());
  return [database, serviceComponent(settings, url), ...wallParts(settings, url)];
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
        const advice = 'DATABASE_URL names its database: without it a Postgres of its own is started';
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
    address: `http://${LOOPBACK}:${servicePort}`,
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
      WALL_FILE: process.env.WALL_FILE || (await demoWalls(home, databaseUrl())),
      WALL_SERVICE_URL: process.env.WALL_SERVICE_URL || `http://${LOOPBACK}:${servicePort}`,
      WALL_HOST: process.env.WALL_HOST || LOOPBACK,
      WALL_PORT: String(wallPort),
    }),
  });
}

/** Imported late: it has parts of the service, which needs a newer Node than all else. */
const demoWalls = async (home: string, databaseUrl: string): Promise<string> =>
  await (await import('../demo-walls.ts')).ensureDemoWalls(home, databaseUrl);

const SECRET_BYTES = 32;

export interface ConsoleComponent {
  readonly component: Component;
  readonly address: string;
  /** The address that signs in once. */
  readonly link: string;
}

export function consoleComponent(settings: LocalSettings, locker: LockerSettings): ConsoleComponent {
  const { home, consolePort, temporalPort, temporalUiPort } = settings;
  const address = `http://${LOOPBACK}:${consolePort}`;
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const component = processComponent({
    name: 'Console',
    home,
    ports: { CONSOLE_PORT: consolePort },
    entry: 'console/main.ts',
    address,
    env: () => ({
      ...locker.env,
      TEMPORAL_ADDRESS: `${LOOPBACK}:${temporalPort}`,
      LOCKERFLOW_HOME: home,
      CONSOLE_HOST: process.env.CONSOLE_HOST || LOOPBACK,
      CONSOLE_PORT: String(consolePort),
      CONSOLE_LINK_SECRET: secret,
      // Programs call the API of processes with tokens of the service that runs here.
      ...(locker.isOurs && {
        API_ISSUER: process.env.API_ISSUER || process.env.SERVICE_URL || locker.env.LOCKER_API_URL,
        API_TENANT: process.env.API_TENANT || 'demo',
      }),
      CONSOLE_TEMPORAL_UI_URL: process.env.CONSOLE_TEMPORAL_UI_URL || `http://${LOOPBACK}:${temporalUiPort}`,
    }),
  });
  // Behind the #, which no server and no log gets.
  return { component, address, link: `${address}/#sign-in=${secret}` };
}
