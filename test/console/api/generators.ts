// The generators of clients in TypeScript, of other people: installed into the cache, once.
import { join } from 'node:path';
import { obtainPackages } from '../../../scripts/bench/packages.ts';

/** Gives their node_modules. */
export async function generators(): Promise<string> {
  const listedIn = join(import.meta.dirname, 'generated-clients');
  const words = 'openapi-typescript into the cache, once';
  const packages = await obtainPackages({ listedIn, name: 'generated-clients', words }, console.log);
  return join(packages, 'node_modules');
}
