// Before all tests: a folder for the bundles of workflows, which the files of tests share (bundles.ts).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { once } from './once.ts';

declare module 'vitest' {
  interface ProvidedContext {
    bundles: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await once('bundles', () => mkdtemp(join(tmpdir(), 'lockerflow-bundles-')));
  const remove = () => rm(folder, { recursive: true, force: true });
  project.provide('bundles', folder);
  // What they were built of may have changed since.
  project.onTestsRerun(remove);
  return remove;
}
