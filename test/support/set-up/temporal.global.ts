// Before all tests: one real Temporal server for the whole run, with the project's search attributes.
import type { TestProject } from 'vitest/node';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { once } from './once.ts';

declare module 'vitest' {
  interface ProvidedContext {
    temporalAddress: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await once('temporal', () => startTemporalServer({ searchAttributes }));
  project.provide('temporalAddress', server.address);
  return () => server.stop();
}
