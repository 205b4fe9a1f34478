// The packages of the other engines, which the project itself does not need. A worker of theirs finds them in the cache folder by a
// hook of Node.js.
import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { obtainPackages, packagesFolder } from '../../../local/installed-packages.ts';

const others = {
  listedIn: join(import.meta.dirname, 'others'),
  name: 'bench-engines',
  words: 'Restate and DBOS into the cache, once: some 70 MB to load, about a minute',
};

export const othersFolder = (): string => packagesFolder(others);

export const areOthersInstalled = (): boolean => existsSync(othersFolder());

export const obtainOthers = (say: (line: string) => void): Promise<string> => obtainPackages(others, say);

export const restateServer = (): string =>
  join(othersFolder(), `node_modules/@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`);

/** For a program that imports them: what it imports by these names comes from the cache. */
export function nodeOptionsForOthers(): string[] {
  const from = JSON.stringify(pathToFileURL(join(othersFolder(), 'package.json')).href);
  const hook = `import { registerHooks } from 'node:module';
    const others = /^@(?:restatedev|dbos-inc)\\//;
    registerHooks({ resolve: (name, context, next) =>
      next(name, others.test(name) ? { ...context, parentURL: ${from} } : context) });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
}
