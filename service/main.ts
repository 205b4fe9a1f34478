// The process entry of the service: settings, database, migrations, server, and a graceful stop on a signal.
import { seedDemoData } from './demo-data.ts';
import { createLog } from './log.ts';
import { createService } from './server.ts';
import { readSettings } from './settings.ts';
import { openDatabase } from './storage/database.ts';
import { migrate } from './storage/migrate.ts';

const settings = readSettings(process.env);
const log = createLog(settings.logLevel);
const applied = await migrate(settings.databaseUrl);
if (applied.length > 0) log.info({ migrations: applied }, 'schema brought up to date');
const database = openDatabase({
  url: settings.databaseUrl,
  connections: settings.databaseConnections,
  onIdleError: (error) => log.warn({ err: error }, 'a database connection broke'),
});
if (settings.mode === 'staging') await seedDemoData(database);
const service = createService(settings, { database, log });
log.info({ address: await service.listen(), mode: settings.mode }, 'service started');

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    log.info({ signal }, 'service stopping');
    await service.close();
    await database.destroy();
    log.info('service stopped');
  });
