// DATABASE_URL for the commands of the service names the Postgres that `npm start` itself starts. A shell that still has it
// must not make `npm start` wait for that Postgres as for somebody else's.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const urlFile = (home: string): string => join(home, 'postgres', 'url');

/** Takes such a variable away, before its file is read: it need not exist yet. Gives what to tell of it. */
export function forgetOwnDatabase(
  variables: Record<string, string | undefined>,
  home: string,
): string | undefined {
  const file = urlFile(home);
  for (const [name, isOwn] of [
    ['DATABASE_URL_FILE', (value: string) => resolve(value) === resolve(file)],
    ['DATABASE_URL', (value: string) => value === urlIn(file)],
  ] as const) {
    const value = variables[name];
    if (!value || !isOwn(value)) continue;
    delete variables[name];
    return `${name} names the Postgres of this installation, which npm start starts itself, so it is ignored`;
  }
  return undefined;
}

/** Undefined before the first start. */
function urlIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
