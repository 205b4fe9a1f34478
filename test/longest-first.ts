// Begins with the files of tests that took longest in the last run on this machine (scripts/gate/reporter.ts writes how long), so
// that none of them runs alone at the end. Vitest's own order knows that only within one checkout.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { durationsFile } from '../scripts/gate/reporter.ts';

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const durations = lastDurations();
    const took = ({ moduleId }: TestSpecification) =>
      durations[relative(root, moduleId)] ?? unknown(moduleId);
    return (await super.sort(files)).toSorted((one, other) => took(other) - took(one));
  }
}

/** A smoke test takes a minute, any other file some seconds. */
const unknown = (moduleId: string): number => (moduleId.includes('/test/smoke/') ? 60_000 : 0);

function lastDurations(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(durationsFile(), 'utf8'));
  } catch {
    return {}; // The first run on this machine.
  }
}
