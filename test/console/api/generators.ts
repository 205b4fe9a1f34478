// Third-party generators of TypeScript clients, installed once from their own lock file.
import { join } from 'node:path';
import { installDependencies } from '../../../scripts/dependencies.mjs';

export const generatedClients = join(import.meta.dirname, 'generated-clients');

/** Installs the generators and returns their node_modules folder. */
export async function generators(): Promise<string> {
  await installDependencies(generatedClients, console.log);
  return join(generatedClients, 'node_modules');
}
