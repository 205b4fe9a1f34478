// A part that runs one of our entries as a separate process: its lines go to a log file, and it has started when its
// /health/ready says so.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startSupervised } from '../supervised-process.ts';
import { gravePassedOn, lastWords } from './grave-lines.ts';
import type { Part } from './parts.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

export interface ProcessPart {
  readonly name: string;
  readonly home: string;
  readonly ports: Readonly<Record<string, number>>;
  /** From the folder of this project, like service/main.ts. */
  readonly entry: string;
  readonly nodeOptions?: readonly string[];
  /** Called at its start, when the parts before it are up. */
  readonly env: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Where /health/ready is. */
  readonly address: string;
  readonly line?: string;
  /** Runs when it is ready, before the next part starts. */
  readonly afterStart?: () => Promise<void>;
}

export function processPart(part: ProcessPart): Part {
  const { name, home, ports, entry, nodeOptions = [], env, address, line, afterStart } = part;
  const logFile = join(home, `${name.toLowerCase()}.log`);
  return {
    name,
    ports,
    logFile,
    async start(say) {
      await mkdir(home, { recursive: true });
      const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
      const program = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
      const running = startSupervised(process.execPath, [...nodeOptions, program], {
        env: { ...process.env, ...(await env()) },
        log: gravePassedOn(log, (words, level) => say(name, words, level)),
      });
      void running.ended.then(() => log.end());
      try {
        await untilReady(address, running.ended);
        await afterStart?.();
      } catch (error) {
        await running.stop();
        throw error;
      }
      return { line: line ?? address, ended: running.ended, stop: running.stop };
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
    if (end.words !== undefined) throw new Error(lastWords(end.words));
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
