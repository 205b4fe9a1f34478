// The collector (collector.ts) as a process of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Collected } from './collector.ts';

export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Since the last time. */
  collected(): Promise<Collected>;
}

export async function startCollector(): Promise<Collector> {
  const child = fork(join(import.meta.dirname, 'collector.ts'));
  const [url] = await once(child, 'message');
  return {
    url: String(url),
    async collected() {
      child.send('how many?');
      const [answer] = await once(child, 'message');
      return answer as Collected;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
