// Runs the simulated walls: the memory and the connection of each, and their pages.
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { keepConnected } from './connection/connection.ts';
import { Wall } from './lockers/wall.ts';
import { WallFile } from './lockers/wall-memory.ts';
import { createPages } from './pages.ts';
import type { WallSettings } from './settings.ts';

export interface RunningWalls {
  /** The address of the pages. */
  readonly address: string;
  readonly walls: ReadonlyMap<string, Wall>;
  stop(): Promise<void>;
}

export async function startWalls(settings: WallSettings, log: FastifyBaseLogger): Promise<RunningWalls> {
  const { home, serviceUrl } = settings;
  const walls = new Map(
    settings.walls.map(({ pupUid }) => {
      // A uid may hold characters that a file's name may not.
      const file = new WallFile(join(home, 'walls', `${encodeURIComponent(pupUid)}.json`));
      return [pupUid, new Wall({ pupUid, file })];
    }),
  );
  const pages = await createPages(walls, { ...settings, log });
  const address = await pages.listen();
  const stopping = new AbortController();
  const connections = settings.walls.map(async (credentials) => {
    const wall = walls.get(credentials.pupUid);
    if (wall) await keepConnected(wall, { serviceUrl, credentials, log }, stopping.signal);
  });
  return {
    address,
    walls,
    async stop() {
      stopping.abort();
      await Promise.all(connections);
      for (const wall of walls.values()) wall.stop();
      await pages.close();
    },
  };
}
