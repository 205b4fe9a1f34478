// Runs the service as a process: settings, migrations, database, server, callback sender, and a graceful stop.
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { startMetrics, startTelemetry } from '../shared/telemetry/telemetry.ts';
import { shutdownSignal } from '../shared/terminal/shutdown-signal.ts';
import { startCallbackSender } from './callbacks/delivery/callback-sender.ts';
import { seedDemoData } from './demo-data.ts';
import { requireKeysInUse } from './encryption/stored-keys.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createLog } from './log.ts';
import {
  noteProductionUse,
  requireNoMovedClocks,
  requireNoProductionUse,
  requireNoPublicSecrets,
} from './production-use.ts';
import { createService } from './server.ts';
import { readSettings, type Settings } from './settings.ts';
import { measureState } from './state-metrics.ts';
import { type Database, openDatabase } from './storage/database.ts';
import { migrate } from './storage/migrate.ts';
import { SwitchBoard } from './switches/switches.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Serves until SIGINT or SIGTERM; resolves when everything is closed. */
export async function runService(variables: Variables): Promise<void> {
  const settings = readSettings(variables);
  const log = createLog(settings.logLevel);
  const { address, stop } = await startService(settings, variables, log);
  const shutdown = shutdownSignal();
  const metrics = settings.metricsAddress ?? null;
  log.info({ address, mode: settings.mode, metrics }, 'service started');
  log.info({ signal: await shutdown }, 'service stopping');
  await stop();
  log.info('service stopped');
}

export interface RunningService {
  readonly address: string;
  stop(): Promise<void>;
}

/** Resolves when it serves. When it throws, everything is closed again. */
export async function startService(
  settings: Settings,
  variables: Variables,
  log: Logger,
): Promise<RunningService> {
  // Not an AsyncDisposableStack, which Node has from 24 on: in the package this runs on 22, too.
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    const last = stops.pop();
    if (last) await last().finally(stop);
  };
  try {
    const telemetry = await startTelemetry('service', variables);
    stops.push(() => telemetry.stop());
    const metrics = await startMetrics('SERVICE_METRICS_ADDRESS', settings.metricsAddress);
    const database = await openedDatabase(settings, log);
    stops.push(() => database.destroy());
    await prepare(database, settings);
    const switchBoard = new SwitchBoard(database, settings.mode);
    const service = createService(settings, { database, switchBoard, log });
    const sender = settings.callbacks.sender
      ? startCallbackSender(settings, { database, switchBoard, log })
      : undefined;
    const stopHousekeeping = startHousekeeping(settings, database, log);
    measureState(database);
    stops.push(() => Promise.all([service.close(), sender?.stop(), stopHousekeeping()]));
    // First: what is looked up at a scrape is in the database.
    stops.push(() => metrics.stop());
    return { address: await service.listen(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openedDatabase(settings: Settings, log: Logger): Promise<Kysely<Database>> {
  log.info({ encryptionKey: settings.encryption.currentKeyId }, 'encrypting the keys in the database');
  const applied = await migrate(settings.databaseUrl);
  if (applied.length > 0) log.info({ migrations: applied }, 'schema brought up to date');
  return openDatabase({
    url: settings.databaseUrl,
    connections: settings.databaseConnections,
    isMeasured: true,
    onBrokenConnection: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
}

/** Throws where the database must not be served with these settings, and says what to do. */
async function prepare(database: Kysely<Database>, { encryption, mode }: Settings): Promise<void> {
  await requireKeysInUse(database, encryption);
  if (mode === 'staging') {
    await requireNoProductionUse(database);
    await seedDemoData(database);
  } else {
    // First: to set a clock, its tenant needs the client that the other ends.
    await requireNoMovedClocks(database);
    await requireNoPublicSecrets(database);
    await noteProductionUse(database);
  }
}
