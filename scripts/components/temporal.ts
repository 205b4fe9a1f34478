// Temporal as a component of the local installation: its store in a file, its Web UI, its own lines in a log file.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import type { LocalSettings } from '../settings.ts';
import { startTemporalServer } from '../temporal/server.ts';
import type { Component } from './components.ts';

export function temporalComponent({ home, temporalPort, temporalUiPort }: LocalSettings): Component {
  const logFile = join(home, 'temporal.log');
  return {
    name: 'Temporal',
    logFile,
    ports: { TEMPORAL_PORT: temporalPort, TEMPORAL_UI_PORT: temporalUiPort },
    async start() {
      await mkdir(home, { recursive: true });
      const log = createWriteStream(logFile, { flags: 'a' });
      const { address, ended, stop, kill } = await startTemporalServer({
        port: temporalPort,
        uiPort: temporalUiPort,
        databaseFile: join(home, 'temporal.sqlite'),
        searchAttributes,
        log,
      });
      return { line: `${address}, Web UI http://127.0.0.1:${temporalUiPort}`, ended, stop, kill };
    },
  };
}
