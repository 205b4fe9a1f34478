// The table of tools/lint/imports.ts, and that it is read as it is meant: what each kind of entry allows and refuses. No files
// import each other in a circle.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeFiles, importsOf, problemOf, problems, rowOf } from '../../tools/lint/imports.ts';
import { circleIn, importsIn } from './import-graph.ts';

const problemsOf = (file: string, text: string) =>
  importsOf(file, text).flatMap((each) => problemOf(each) ?? []);

test.each([
  ['contract/wire/x.ts', "import { z } from 'zod';"],
  ['contract/wire/x.ts', "import { y } from '../operations/y.ts';"],
  ['machines/x.ts', "import type { y } from '../contract/wire/y.ts';"],
  ['machines/x.ts', "export type { y } from '../contract/wire/y.ts';"],
  ['driver/chart/x.ts', "const y = await import('elkjs/lib/elk.bundled.js');"],
  ['driver/x.ts', "import type { y } from '@temporalio/workflow';"],
  ['driver/temporal/x.ts', "import { y } from '@temporalio/workflow';"],
  ['flow-files/reading/x.ts', "import { Ajv } from 'ajv/dist/2020.js';"],
  ['workflows/shipments/x.ts', "import { y } from '../../runtime/limits/backoff.ts';"],
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
  ['contract/wire/x.ts', "import type { y } from '../../machines/y.ts';"],
  ['machines/x.ts', "import { y } from '../contract/wire/y.ts';"],
  ['machines/x.ts', "import { type y } from '../contract/wire/y.ts';"],
  ['machines/x.ts', "import '../contract/wire/y.ts';"],
  ['machines/x.ts', "export { y } from '../contract/wire/y.ts';"],
  ['machines/x.ts', "const y = await import('../contract/wire/y.ts');"],
  ['machines/x.ts', "import {\n  y,\n  z,\n} from '../contract/wire/y.ts';"],
  ['runtime/x.ts', "import { y } from './limits/y.ts';"],
  ['runtime/limits/x.ts', "import { readFile } from 'node:fs/promises';"],
  ['runtime/settings/x.ts', "import { readFile } from 'node:fs/promises';"],
  ['driver/x.ts', "import type { y } from '../contract/y.ts';"],
  ['driver/x.ts', "import { y } from '@temporalio/workflow';"],
  ['driver/x.ts', "import { y } from './temporal/y.ts';"],
  ['driver/temporal/x.ts', "import { y } from '../../machines/y.ts';"],
  ['driver/x.ts', "import ELK from 'elkjs';"],
  ['flows/x.ts', "import { y } from 'xstate';"],
  ['flow-files/machine/x.ts', "import { y } from '../reading/y.ts';"],
  ['flow-files/reading/x.ts', "import { y } from '../../contract/y.ts';"],
  ['workflows/x.ts', "import type { y } from 'zod';"],
  ['workflows/x.ts', "import { y } from '../runtime/limits/time-limit.ts';"],
  ['workflows/x.ts', "import { y } from '../flow-files/reading/y.ts';"],
  ['activities/booking/x.ts', "import { request } from 'undici';"],
  ['activities/x.ts', "import { y } from '../workflows/y.ts';"],
  ['activities/api/x.ts', "import { y } from '@temporalio/activity';"],
  ['activities/connectors/x.ts', "import { y } from '../booking/y.ts';"],
  ['activities/routing/x.ts', "import { y } from '../y.ts';"],
  ['runtime/codec/x.ts', "import { y } from '@temporalio/client';"],
  ['runtime/telemetry/x.ts', "import { y } from '../../service/y.ts';"],
  ['worker/x.ts', "import { y } from '../workflows/y.ts';"],
  ['client/x.ts', "import { y } from '../workflows/y.ts';"],
  ['client/x.ts', "import { Worker } from '@temporalio/worker';"],
  ['service/x.ts', "import { y } from '@temporalio/common';"],
  ['service/x.ts', "import { y } from '../activities/api/y.ts';"],
  ['wall/x.ts', "import { y } from '../service/y.ts';"],
  ['console/x.ts', "import { y } from './page/y.ts';"],
  ['console/x.ts', "import { y } from '../service/y.ts';"],
  ['console/page/inbox/x.tsx', "import { y } from '../../refusal.ts';"],
  ['console/page/inbox/x.tsx', "import { y } from '../../inbox/inbox-view.ts';"],
  ['local/x.ts', "import { y } from '../test/y.ts';"],
])('%s must not say: %s', (file, text) => {
  expect(problemsOf(file, text)).toHaveLength(1);
});

test('a refusal says what may be imported, and why', () => {
  expect(problemsOf('machines/x.ts', "import { y } from '../contract/y.ts';")).toEqual([
    'machines/x.ts may import only types of contract/y.ts, because its rules are pure, and zod must not get in: write `import type`',
  ]);
});

test('every folder of the project that holds code has a row', () => {
  const withoutCode = /^\.|^(node_modules|dist|coverage|secrets)$/;
  const folders = readdirSync(join(import.meta.dirname, '../..'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !withoutCode.test(entry.name))
    .map(({ name }) => name);
  expect(folders.filter((folder) => rowOf(`${folder}/x.ts`) === undefined)).toEqual([]);
});

test('the code keeps to the table', () => {
  expect(problems()).toEqual([]);
});

test('no files import each other in a circle, not even types', () => {
  expect(circleIn(importsIn(codeFiles()))).toBeUndefined();
});
