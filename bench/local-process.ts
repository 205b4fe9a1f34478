// One of our own entries as a process of its own, for one benchmark. It is up once it logs so; its log is read to its end,
// or it would wait for a reader.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface LocalProcess {
  /** The line of its log that told that it is up. */
  readonly up: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** @param entry from the folder of this project, like service/main.ts */
export async function startLocalProcess(
  entry: string,
  upMessage: string,
  variables: Readonly<Record<string, string>>,
): Promise<LocalProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', entry)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...variables },
  });
  const up = await new Promise<Record<string, unknown>>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes(`"msg":"${upMessage}"`)) resolve(JSON.parse(line));
    });
    child.once('exit', (code) => reject(new Error(`${entry} ended with ${code}`)));
  });
  return {
    up,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
