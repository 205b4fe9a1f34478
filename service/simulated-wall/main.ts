// The process entry of the simulated walls.
import { readFileSync } from 'node:fs';
import { programLog } from '../../shared/terminal/program-log.ts';
import { shutdownSignal } from '../../shared/terminal/shutdown-signal.ts';
import { processTerminal } from '../../shared/terminal/terminal.ts';
import { startWalls } from './run.ts';
import { readWallSettings } from './settings.ts';

try {
  const settings = readWallSettings(process.env, (path) => readFileSync(path, 'utf8'));
  const { log, written } = programLog('wall', settings.logLevel);
  const walls = await startWalls(settings, log);
  log.info({ address: walls.address, walls: [...walls.walls.keys()] }, 'walls started');
  await shutdownSignal();
  await walls.stop();
  log.info('walls stopped');
  await written();
  process.exit();
} catch (error) {
  processTerminal('lockerflow-wall').complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
