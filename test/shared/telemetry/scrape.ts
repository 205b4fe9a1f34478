// What a process tells Prometheus, as Prometheus' own client library for Python reads it.
import { createInterface } from 'node:readline';
import { expect, vi } from 'vitest';
import { startChild } from '../../../local/child-process.ts';
import { endedWithTest } from '../../support/processes/node-program.ts';
import type { Python } from '../../support/python/python.ts';

export interface Sample {
  /** With its ending, like _bucket. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** @param address host and port */
export type Scrape = (address: string) => Promise<Sample[]>;

const READ = `
import json, re, sys
from prometheus_client.parser import text_string_to_metric_families
for line in sys.stdin:
  text = json.loads(line)
  written = set(re.findall(r'^[a-zA-Z_:][a-zA-Z0-9_:]*', text, re.MULTILINE))
  # The library ends the name of each counter in _total; Prometheus keeps the name that was written.
  name = lambda sample: sample.name if sample.name in written else sample.name.removesuffix('_total')
  print(json.dumps([{'name': name(sample), 'labels': sample.labels, 'value': sample.value if abs(sample.value) != float('inf') else 0}
    for family in text_string_to_metric_families(text) for sample in family.samples]), flush=True)`;

/** One Python for all scrapes of a test: its start takes longer than the reading. One scrape at a time. */
export function scraper({ program, env }: Python): Scrape {
  const reader = endedWithTest(startChild(program, ['-c', READ], { env, input: 'open' }));
  const lines = createInterface(reader.stdout ?? process.stdin)[Symbol.asyncIterator]();
  return async (address) => {
    const answer = await fetch(`http://${address}/metrics`);
    expect(answer.status).toBe(200);
    reader.stdin?.write(`${JSON.stringify(await answer.text())}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`Python cannot read what ${address} tells: ${reader.err()}`);
    return JSON.parse(value) as Sample[];
  };
}

/** The sum of the samples of this name that have all of these labels; undefined if there is none. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

/** Scrapes again until it is so. */
export async function scrapedUntil(
  scrape: Scrape,
  address: string,
  isSo: (samples: readonly Sample[]) => boolean,
): Promise<Sample[]> {
  let samples: Sample[] = [];
  const look = async () => {
    samples = await scrape(address);
    return isSo(samples);
  };
  await vi.waitUntil(look, { timeout: 120_000, interval: 500 }).catch((error: Error) => {
    const told = samples.filter(({ name }) => name.startsWith('lockerflow_') && !name.endsWith('_bucket'));
    throw new Error(`${error.message} ${isSo}; told was ${JSON.stringify(told, null, 1)}`);
  });
  return samples;
}
