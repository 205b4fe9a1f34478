// The table of scripts/lint/import-rules.ts, and that it is read as it is meant: what each kind of entry allows and refuses. Which
// imports are a circle.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { circles } from '../../scripts/lint/circles.ts';
import { importsOf, problemOf, problems, rowOf } from '../../scripts/lint/imports.ts';

const problemsOf = (file: string, text: string) =>
  importsOf(file, text).flatMap((each) => problemOf(each) ?? []);

test.each([
  ['contract/wire/x.ts', "import { z } from 'zod';"],
  ['contract/wire/x.ts', "import { y } from '../operations/y.ts';"],
  ['contract/machines/x.ts', "import type { y } from '../wire/y.ts';"],
  ['contract/machines/x.ts', "export type { y } from '../wire/y.ts';"],
  ['engine/chart/x.ts', "const y = await import('elkjs/lib/elk.bundled.js');"],
  ['engine/x.ts', "import type { y } from '@temporalio/workflow';"],
  ['engine/temporal/x.ts', "import { y } from '@temporalio/workflow';"],
  ['flows/language/reading/x.ts', "import { parseDocument } from 'yaml';"],
  ['workflows/shipments/x.ts', "import { y } from '../../shared/limits/backoff.ts';"],
  ['workflows/x.ts', "import type { y } from '../activities/y.ts';"],
  ['client/x.ts', "import type { y } from '../workflows/y.ts';"],
  ['service/x.ts', "import { sql } from 'kysely/helpers/postgres';"],
  ['service/x.ts', "import { randomInt } from 'node:crypto';"],
  ['console/page/inbox/x.tsx', "import { useState } from 'preact/hooks';"],
  ['console/page/inbox/x.tsx', "import type { y } from '../../inbox/inbox-view.ts';"],
  ['test/x.ts', "import { y } from '../service/y.ts';"],
])('%s may say: %s', (file, text) => {
  expect(importsOf(file, text)).toHaveLength(1);
  expect(problemsOf(file, text)).toEqual([]);
});

test.each([
  ['contract/wire/x.ts', "import { y } from 'undici';"],
  ['contract/wire/x.ts', "import type { y } from '../machines/y.ts';"],
  ['contract/machines/x.ts', "import { y } from '../wire/y.ts';"],
  ['contract/machines/x.ts', "import { type y } from '../wire/y.ts';"],
  ['contract/machines/x.ts', "import '../wire/y.ts';"],
  ['contract/machines/x.ts', "export { y } from '../wire/y.ts';"],
  ['contract/machines/x.ts', "const y = await import('../wire/y.ts');"],
  ['contract/machines/x.ts', "import {\n  y,\n  z,\n} from '../wire/y.ts';"],
  ['shared/x.ts', "import { y } from './limits/y.ts';"],
  ['shared/limits/x.ts', "import { readFile } from 'node:fs/promises';"],
  ['shared/settings/x.ts', "import { readFile } from 'node:fs/promises';"],
  ['engine/x.ts', "import type { y } from '../contract/y.ts';"],
  ['engine/x.ts', "import { y } from '@temporalio/workflow';"],
  ['engine/x.ts', "import { y } from './temporal/y.ts';"],
  ['engine/temporal/x.ts', "import { y } from '../../contract/machines/y.ts';"],
  ['engine/x.ts', "import ELK from 'elkjs';"],
  ['flows/built-in/x.ts', "import { y } from 'xstate';"],
  ['flows/language/machine/x.ts', "import { y } from '../reading/y.ts';"],
  ['flows/language/reading/x.ts', "import { y } from '../../../contract/y.ts';"],
  ['workflows/x.ts', "import type { y } from 'zod';"],
  ['workflows/x.ts', "import { y } from '../shared/limits/time-limit.ts';"],
  ['workflows/x.ts', "import { y } from '../flows/language/reading/y.ts';"],
  ['activities/booking/x.ts', "import { request } from 'undici';"],
  ['activities/x.ts', "import { y } from '../workflows/y.ts';"],
  ['shared/locker-api/x.ts', "import { y } from '@temporalio/activity';"],
  ['activities/connectors/x.ts', "import { y } from '../booking/y.ts';"],
  ['shared/routing/x.ts', "import { y } from '../y.ts';"],
  ['shared/codec/x.ts', "import { y } from '@temporalio/client';"],
  ['shared/telemetry/x.ts', "import { y } from '../../service/y.ts';"],
  ['worker/x.ts', "import { y } from '../workflows/y.ts';"],
  ['client/x.ts', "import { y } from '../workflows/y.ts';"],
  ['client/x.ts', "import { Worker } from '@temporalio/worker';"],
  ['service/x.ts', "import { y } from '@temporalio/common';"],
  ['service/x.ts', "import { y } from '../shared/locker-api/y.ts';"],
  ['service/simulated-wall/x.ts', "import { y } from '../y.ts';"],
  ['console/x.ts', "import { y } from './page/y.ts';"],
  ['console/x.ts', "import { y } from '../service/y.ts';"],
  ['console/page/inbox/x.tsx', "import { y } from '../../refusal.ts';"],
  ['console/page/inbox/x.tsx', "import { y } from '../../inbox/inbox-view.ts';"],
  ['scripts/x.ts', "import { y } from '../test/y.ts';"],
  ['shared/telemetry/x.ts', "import type { y } from '../../workflows/y.ts';"],
  ['processes/x.ts', "import type { y } from '../console/y.ts';"],
  ['service/x.ts', "import { y } from './simulated-wall/y.ts';"],
])('%s must not say: %s', (file, text) => {
  expect(problemsOf(file, text)).toHaveLength(1);
});

test('a refusal says what may be imported, and why', () => {
  expect(problemsOf('contract/machines/x.ts', "import { y } from '../y.ts';")).toEqual([
    'contract/machines/x.ts may import only types of contract/y.ts, because its rules are pure, and zod must not get in: write `import type`',
  ]);
  expect(problemsOf('flows/language/x.ts', "import type { y } from '../../workflows/y.ts';")).toEqual([
    'flows/language/x.ts must not import workflows/y.ts: its level is above that of flows/language/',
  ]);
});

test('every folder of the project that holds code has a row', () => {
  const withoutCode = /^\.|^(node_modules|dist|coverage|secrets)$/;
  const folders = readdirSync(join(import.meta.dirname, '../..'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !withoutCode.test(entry.name))
    .map(({ name }) => name);
  expect(folders.filter((folder) => rowOf(`${folder}/x.ts`) === undefined)).toEqual([]);
});

test('the code keeps to the table, and has no circles', () => {
  expect(problems()).toEqual([]);
});

const named = (...imports: readonly string[]) =>
  circles(imports.map((each) => each.split(' ')).map(([file = '', imported = '']) => ({ file, imported })));

test.each([
  [
    'two files',
    ['a/b/x.ts a/b/y.ts', 'a/b/y.ts a/b/x.ts'],
    'a/b/ must not have the circle x.ts → y.ts → x.ts',
  ],
  ['two folders', ['a/b/x.ts a/c/x.ts', 'a/c/y.ts a/b/y.ts'], 'a/ must not have the circle b/ → c/ → b/'],
  [
    'a folder and a file',
    ['a/x.ts a/b/x.ts', 'a/b/c/y.ts a/x.ts'],
    'a/ must not have the circle x.ts → b/ → x.ts',
  ],
  [
    'three rooms',
    ['a/x.ts b/x.ts', 'b/y.ts c/x.ts', 'c/y.ts a/y.ts'],
    'the root must not have the circle a/ → b/',
  ],
])('%s must not import each other', (_what, imports, circle) => {
  expect(named(...imports)).toEqual([expect.stringContaining(circle)]);
});

test('folders that import each other in one direction are no circle, nor are folders of tests', () => {
  expect(named('a/b/x.ts a/c/x.ts', 'a/b/y.ts a/c/y.ts', 'a/x.ts a/b/x.ts')).toEqual([]);
  expect(named('test/a/x.ts test/b/x.ts', 'test/b/y.ts test/a/y.ts')).toEqual([]);
});
