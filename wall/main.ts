// The process entry of the simulated walls.
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { startWalls } from './run.ts';
import { readWallSettings } from './settings.ts';

try {
  const settings = readWallSettings(process.env, (path) => readFileSync(path, 'utf8'));
  const log = pino({ base: { part: 'wall' }, level: settings.logLevel });
  const walls = await startWalls(settings, log);
  log.info({ address: walls.address, walls: [...walls.walls.keys()] }, 'walls started');
  // Not `once`: a Ctrl-C arrives from the terminal and again from npm, and must not end this process half-way.
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (!isStopping)
        void walls.stop().then(() => {
          log.info('walls stopped');
          process.exit();
        });
      isStopping = true;
    });
} catch (error) {
  process.stderr.write(`lockerflow-wall: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
