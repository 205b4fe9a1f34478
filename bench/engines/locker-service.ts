// The stand-in of the locker service (stand-in.ts) as a process of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Called } from './stand-in.ts';

export interface LockerService extends AsyncDisposable {
  readonly url: string;
  /** Since the last time. */
  calls(): Promise<readonly Called[]>;
}

export async function startLockerService(): Promise<LockerService> {
  const child = fork(join(import.meta.dirname, 'stand-in.ts'));
  const [url] = await once(child, 'message');
  return {
    url: String(url),
    async calls() {
      child.send('calls?');
      const [calls] = await once(child, 'message');
      return calls as readonly Called[];
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
