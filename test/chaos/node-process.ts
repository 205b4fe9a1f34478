// One of our own entries as a process of its own, which is up once it logs so; all that it says goes to a file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compileCache } from '../support/processes/compile-cache.ts';
import type { Running } from './part.ts';

export interface NodeProcess {
  readonly name: string;
  /** From the folder of this project, like service/main.ts. */
  readonly entry: string;
  /** In the line by which it tells that it is up. */
  readonly upLine: string;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Of what it said last, in characters: enough for the reason of its end. */
const WORDS_LENGTH = 2_000;

export async function startNodeProcess(options: NodeProcess): Promise<Running> {
  const { name, entry, upLine, folder, variables } = options;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../..', entry)], {
    env: { PATH: process.env.PATH, HOME: folder, ...compileCache, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
  let words = '';
  const isUp = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      words = `${words}\n${line}`.slice(-WORDS_LENGTH);
      log.write(`${line}\n`);
      if (line.includes(upLine)) isUp.resolve();
    });
  const ended = once(child, 'exit').then(() => words);
  void ended.then(() => {
    log.end();
    isUp.reject(new Error(`the ${name} ended before it was up: ${words}`));
  });
  await isUp.promise;
  return {
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
