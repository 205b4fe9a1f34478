// The stand-in of the locker service (stand-in.ts) as a process of its own.
import { startAnswering } from '../local-process.ts';
import type { Called } from './stand-in.ts';

export interface LockerService extends AsyncDisposable {
  readonly url: string;
  /** Since the last time. */
  calls(): Promise<readonly Called[]>;
}

export async function startLockerService(): Promise<LockerService> {
  const child = await startAnswering(['tools/bench/engines/stand-in.ts']);
  return {
    url: String(child.up),
    calls: async () => (await child.ask('calls?')) as readonly Called[],
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
