// The collector (collector.ts) as a process of its own.
import { startAnswering } from '../local-process.ts';
import type { Collected } from './collector.ts';

export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Since the last time. */
  collected(): Promise<Collected>;
}

export async function startCollector(): Promise<Collector> {
  const child = await startAnswering(['tools/bench/telemetry/collector.ts']);
  return {
    url: String(child.up),
    collected: async () => (await child.ask('how many?')) as Collected,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
