// The generators of clients in TypeScript, of other people: installed once, beside their lock file.
import { join } from 'node:path';
import { installDependencies } from '../../../scripts/dependencies.mjs';

export const generatedClients = join(import.meta.dirname, 'generated-clients');

/** Gives their node_modules. */
export async function generators(): Promise<string> {
  await installDependencies(generatedClients, console.log);
  return join(generatedClients, 'node_modules');
}
