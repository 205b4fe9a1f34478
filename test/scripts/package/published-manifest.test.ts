// The package.json that is published names what the built code imports, and refuses what the checkout does not name.
import { expect, test } from 'vitest';
import { packagesImportedBy, publishedManifest } from '../../../scripts/package/published-manifest.ts';

const checkout = {
  name: 'lockerflow',
  version: '1.2.3',
  private: true,
  scripts: { test: 'vitest' },
  bin: { lockerflow: 'cli/lockerflow.mjs' },
  publishConfig: { bin: { lockerflow: 'dist/cli/main.js' } },
  dependencies: {
    '@temporalio/client': '^1.0.0',
    '@temporalio/worker': '^1.0.0',
    fastify: '^5.0.0',
    pg: '^8.0.0',
    protobufjs: '^8.0.0',
    zod: '^4.0.0',
  },
  devDependencies: { '@temporalio/testing': '^1.0.0', vitest: '5.0.0' },
};

const published = (imported: readonly string[], importedByDev: readonly string[] = []) =>
  publishedManifest(checkout, { imported: new Set(imported), importedByDev: new Set(importedByDev) });

test('the published package.json has the imported packages as dependencies, and Temporal as peers', () => {
  expect(
    published(
      ['zod', '@temporalio/client', '@temporalio/worker'],
      ['zod', 'pg', '@temporalio/client', '@temporalio/testing'],
    ),
  ).toEqual({
    name: 'lockerflow',
    version: '1.2.3',
    bin: { lockerflow: 'dist/cli/main.js' },
    dependencies: { zod: '^4.0.0' },
    optionalDependencies: { pg: '^8.0.0' },
    // Nothing imports the last: the installing project has one copy of it, as of Temporal's packages that do.
    peerDependencies: {
      '@temporalio/client': '^1.0.0',
      '@temporalio/testing': '^1.0.0',
      '@temporalio/worker': '^1.0.0',
      protobufjs: '^8.0.0',
    },
    peerDependenciesMeta: {
      '@temporalio/testing': { optional: true },
      '@temporalio/worker': { optional: true },
    },
  });
});

test('an undeclared package that the built code imports is refused by its name', () => {
  expect(() => published(['zod', 'undici'])).toThrow('imports undici');
  expect(() => published(['zod'], ['kysely'])).toThrow('imports kysely');
});

test('imports are found in every form that the compiler writes', () => {
  const built = `#!/usr/bin/env node
// import { nothing } from 'a comment';
import { readFile } from 'node:fs/promises';
import { first, type Second } from 'first';
import {
  several,
} from "@scope/second/deep.js";
import * as all from 'third';
import 'fourth';
import { ours } from './ours.js';
export * from 'fifth';
export declare const schema: import("sixth").Schema;
const late = await import('seventh');
export const message = "import it from 'eighth'";
const text = 'taken from "ninth"';
`;
  expect(packagesImportedBy(built)).toEqual([
    'first',
    '@scope/second',
    'third',
    'fourth',
    'fifth',
    'sixth',
    'seventh',
  ]);
});
