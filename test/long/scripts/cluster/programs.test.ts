// How the programs of the cluster get onto this machine: each is built once, and what is there is used. A stand-in for Go
// builds them, for a real build takes minutes.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  cachedPrograms,
  missingPrograms,
  obtainClusterPrograms,
} from '../../../../scripts/cluster/programs.ts';
import { standIn, temporaryFolder } from '../../../support/set-up-process.ts';

/** A user's empty cache, and a Go that writes down what it builds; it fails for a package whose name has these words. */
async function machine(fails = 'nothing') {
  const folder = await temporaryFolder();
  const programs = join(folder, 'programs');
  const builds = join(folder, 'builds');
  await standIn(
    join(programs, 'go'),
    `const [command, ...args] = process.argv.slice(2);
     if (command === 'version') console.log('go version go1.26.0 linux/amd64');
     if (command === 'build') {
       if (args.at(-1).includes(${JSON.stringify(fails)})) { console.error('no disk'); process.exit(1); }
       fs.appendFileSync(${JSON.stringify(builds)}, args.at(-1) + '\\n');
       fs.writeFileSync(args[args.indexOf('-o') + 1], '#!/bin/sh');
     }`,
  );
  const said: string[] = [];
  const env = { XDG_CACHE_HOME: join(folder, 'cache'), PATH: `${programs}:${process.env.PATH}` };
  return {
    env,
    said,
    obtain: () => obtainClusterPrograms({ env, say: (line) => said.push(line) }),
    builds: async () => (await readFile(builds, 'utf8')).trim().split('\n'),
  };
}

test('what is missing is built, each once, and a person is told what and how long', async () => {
  const { obtain, builds, said, env } = await machine();
  await obtain();
  expect(await builds()).toEqual([
    'go.temporal.io/server/cmd/server',
    'go.temporal.io/server/cmd/tools/sql',
    'github.com/temporalio/ui-server/v2/cmd/server',
    'github.com/caddyserver/caddy/v2/cmd/caddy',
  ]);
  expect(said[0]).toMatch(/^4 programs are to be built, once: temporal-server v[\d.]+, .*; about \d+ min/);
  expect(said[1]).toMatch(/^1 of 4: building temporal-server v[\d.]+ with Go/);
  expect(await missingPrograms(env)).toEqual([]);
  const before = said.length;
  const paths = await obtain();
  expect(paths).toEqual(cachedPrograms(env));
  expect(said).toHaveLength(before);
  expect(await builds()).toHaveLength(4);
  expect(await readdir(dirname(paths.balancer))).toHaveLength(4);
});

test('two starts at once build each program once', async () => {
  const { obtain, builds } = await machine();
  await Promise.all([obtain(), obtain()]);
  expect(await builds()).toHaveLength(4);
});

test('a build that fails is named with its reason, leaves nothing, and the others stay', async () => {
  const { obtain, env } = await machine('caddy');
  await expect(obtain()).rejects.toThrow(
    /^caddy v2\.\S+ cannot be built: go build failed: no disk; the cluster needs Go and its module proxy$/,
  );
  expect(await missingPrograms(env)).toEqual(['balancer']);
  expect(await readdir(dirname(cachedPrograms(env).balancer))).toHaveLength(3);
});

test('without Go a person is told that the cluster needs it', async () => {
  const { env } = await machine();
  const nowhere = { ...env, PATH: '/nowhere' };
  const without = obtainClusterPrograms({ env: nowhere, say: () => undefined });
  await expect(without).rejects.toThrow(/there is no `go` on PATH; the cluster needs Go/);
});
