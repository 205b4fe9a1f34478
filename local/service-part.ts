// The locker service as a part of the local installation: a process of its own, in staging mode unless told otherwise.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { databasePart } from './database-part.ts';
import type { Part } from './parts.ts';
import type { LocalSettings } from './settings.ts';
import { startSupervised } from './supervised-process.ts';

// Shorter than the supervisor's patience, so that requests under way are cut by the service and not by a kill.
const STOP_GRACE_SECONDS = '5';
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** The service, after the embedded database where no other is set. */
export function serviceParts(settings: LocalSettings): Part[] {
  const { databaseUrl } = settings;
  if (databaseUrl !== undefined) return [servicePart(settings, () => databaseUrl)];
  const database = databasePart(settings);
  return [database, servicePart(settings, database.url)];
}

function servicePart({ home, servicePort }: LocalSettings, databaseUrl: () => string): Part {
  const address = `http://127.0.0.1:${servicePort}`;
  return {
    name: 'Service',
    ports: { SERVICE_PORT: servicePort },
    async start() {
      await mkdir(home, { recursive: true });
      const env = {
        SERVICE_MODE: 'staging',
        SERVICE_STOP_GRACE_SECONDS: STOP_GRACE_SECONDS,
        ...process.env,
        SERVICE_PORT: String(servicePort),
        DATABASE_URL: databaseUrl(),
      };
      const log = createWriteStream(join(home, 'service.log'), { flags: 'a', mode: 0o600 });
      const entry = fileURLToPath(new URL('../service/main.ts', import.meta.url));
      const service = startSupervised(process.execPath, [entry], { env, log });
      await untilReady(address, service.ended).catch(async (error) => {
        await service.stop();
        throw error;
      });
      return { line: address, ended: service.ended, stop: service.stop };
    },
  };
}

async function untilReady(address: string, ended: Promise<string>): Promise<void> {
  const end: { words?: string } = {};
  void ended.then((words) => {
    end.words = words;
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await isReady(address))) {
    if (end.words !== undefined) throw new Error(end.words);
    if (performance.now() > deadline) throw new Error(`it was not ready within ${START_TIMEOUT_MS} ms`);
    await delay(POLL_MS);
  }
}

async function isReady(address: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${address}/health/ready`);
    return ok;
  } catch {
    // It does not listen yet. The caller has the deadline.
    return false;
  }
}
