// Runs the service as a process: settings, migrations, database, server, callback sender, and a graceful stop.

import { startMetrics, startTelemetry } from '../telemetry/telemetry.ts';
import { askedToStop } from '../terminal/asked-to-stop.ts';
import { startPackingSearch } from './accounts/pack-search.ts';
import { startCallbackSender } from './callbacks/delivery/callback-sender.ts';
import { seedDemoData } from './demo-data.ts';
import { encryptPlainKeys, requireKeysInUse } from './encryption/stored-keys.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createLog } from './log.ts';
import { noteProductionUse, requireNoProductionUse } from './production-use.ts';
import { requireNoPublicSecrets } from './public-secrets.ts';
import { createService } from './server.ts';
import { readSettings } from './settings.ts';
import { measureState } from './state-metrics.ts';
import { openDatabase } from './storage/database.ts';
import { migrate } from './storage/migrate.ts';
import { SwitchBoard } from './switches/switch-board.ts';

/** Serves until SIGINT or SIGTERM; resolves when everything is closed. */
export async function runService(variables: Readonly<Record<string, string | undefined>>): Promise<void> {
  const settings = readSettings(variables);
  const { encryption } = settings;
  const log = createLog(settings.logLevel);
  const telemetry = await startTelemetry('service', variables);
  const metrics = await startMetrics('SERVICE_METRICS_ADDRESS', settings.metricsAddress);
  log.info({ encryptionKey: encryption.currentKeyId }, 'encrypting the keys in the database');
  const applied = await migrate(settings.databaseUrl);
  if (applied.length > 0) log.info({ migrations: applied }, 'schema brought up to date');
  const database = openDatabase({
    url: settings.databaseUrl,
    connections: settings.databaseConnections,
    isMeasured: true,
    onBrokenConnection: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
  await requireKeysInUse(database, encryption);
  await encryptPlainKeys(database, encryption);
  if (settings.mode === 'staging') {
    await requireNoProductionUse(database);
    await seedDemoData(database);
  } else {
    await requireNoPublicSecrets(database);
    await noteProductionUse(database);
  }
  const switchBoard = new SwitchBoard(database, settings.mode);
  const service = createService(settings, { database, switchBoard, log });
  const sender = settings.callbacks.sender
    ? startCallbackSender(settings, { database, switchBoard, log })
    : undefined;
  const stopHousekeeping = startHousekeeping(settings, database, log);
  measureState(database);
  const stopPacking = startPackingSearch(database, log);
  const asked = askedToStop();
  const address = await service.listen();
  log.info({ address, mode: settings.mode, metrics: settings.metricsAddress ?? null }, 'service started');
  log.info({ signal: await asked }, 'service stopping');
  // First: what is looked up at a scrape is in the database.
  await metrics.stop();
  await Promise.all([service.close(), sender?.stop(), stopHousekeeping(), stopPacking()]);
  await database.destroy();
  await telemetry.stop();
  log.info('service stopped');
}
