// The import table of the folders is enforced by the lint: each row's forbidden imports fail, its allowed ones pass.
// Runs Biome, with this project's own configuration, on small files in a folder of their own.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const RULE = 'lint/style/noRestrictedImports';
const report = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
});
/** Of this project's folders, and what tools make beside them. */
const withoutCode = /^\.|^(node_modules|dist|coverage|docs|examples|lint)$/;

type Row = { allowed: readonly string[]; forbidden: readonly string[] };

/** By folder: whole statements, so that `import type` is told apart from `import`. */
const table: Readonly<Record<string, Row>> = {
  contract: {
    allowed: ["import { x } from 'zod';", "import { x } from './x.ts';"],
    forbidden: [
      "import { x } from 'undici';",
      "import { x } from 'node:fs';",
      "import type { x } from '../machines/x.ts';",
    ],
  },
  machines: {
    allowed: [
      "import { x } from 'xstate';",
      "import type { x } from '../contract/x.ts';",
      "export type { x } from '../contract/x.ts';",
    ],
    forbidden: [
      "import { x } from '../contract/x.ts';",
      "import { type x } from '../contract/x.ts';",
      "import '../contract/x.ts';",
      "export { x } from '../contract/x.ts';",
      "export const x = await import('../contract/x.ts');",
      "import { x } from 'zod';",
      "import { x } from 'node:fs';",
      "import type { x } from '../service/x.ts';",
    ],
  },
  'contract/operations': {
    allowed: ["import { x } from 'zod';", "import { x } from '../wire/x.ts';"],
    forbidden: ["import { x } from '../../settings/x.ts';", "import { x } from '../../machines/x.ts';"],
  },
  'flow-files': {
    allowed: [
      "import { x } from './machine/x.ts';",
      "import { x } from './expressions/x.ts';",
      "import { x } from '@marcbachmann/cel-js';",
    ],
    forbidden: [
      "import { x } from 'yaml';",
      "import { x } from 'zod';",
      "import { x } from 'node:fs';",
      "import { x } from '@temporalio/workflow';",
      "import { x } from '../driver/x.ts';",
    ],
  },
  'flow-files/reading': {
    allowed: [
      "import { x } from 'yaml';",
      "import { x } from 'ajv/dist/2020.js';",
      "import { x } from '../machine/x.ts';",
      "import { x } from '../../flows/x.ts';",
      "import type { x } from '../../contract/x.ts';",
    ],
    forbidden: [
      "import { x } from '../../contract/x.ts';",
      "import { x } from 'node:fs';",
      "import { x } from '@temporalio/client';",
    ],
  },
  'flow-files/machine': {
    allowed: [
      "import { x } from 'xstate';",
      "import { x } from '../expressions/x.ts';",
      "import type { x } from '../../contract/x.ts';",
    ],
    forbidden: [
      "import { x } from 'yaml';",
      "import { x } from '../reading/x.ts';",
      "import { x } from '../../flows/x.ts';",
    ],
  },
  limits: {
    allowed: ["import { x } from './x.ts';"],
    forbidden: [
      "import { x } from 'zod';",
      "import { x } from '../contract/x.ts';",
      "import { x } from 'node:fs';",
    ],
  },
  terminal: {
    allowed: [
      "import { x } from 'commander';",
      "import { x } from 'node:process';",
      "import { x } from './x.ts';",
    ],
    forbidden: ["import { x } from '../client/x.ts';", "import { x } from 'zod';"],
  },
  settings: {
    allowed: [
      "import { x } from 'zod';",
      "import { x } from '../contract/wire/x.ts';",
      "import { isIP } from 'node:net';",
    ],
    forbidden: ["import { x } from 'node:fs';", "import { x } from '../routing/x.ts';"],
  },
  driver: {
    allowed: ["import { x } from 'xstate';", "import { x } from '@temporalio/workflow';"],
    forbidden: [
      "import type { x } from '../contract/x.ts';",
      "import { x } from '../machines/x.ts';",
      "import { x } from '../workflows/x.ts';",
      "import { x } from '../flows/x.ts';",
    ],
  },
  flows: {
    allowed: ["import { x } from './x.ts';", "import type { x } from '../contract/flows/x.ts';"],
    forbidden: [
      "import { x } from '../contract/flows/x.ts';",
      "import { x } from '../workflows/x.ts';",
      "import { x } from '@temporalio/workflow';",
      "import { x } from 'xstate';",
    ],
  },
  workflows: {
    allowed: [
      "import { x } from 'xstate';",
      "import { x } from '@temporalio/workflow';",
      "import { x } from '../driver/x.ts';",
      "import { x } from '../flows/x.ts';",
      "import { x } from '../machines/x.ts';",
      "import type { x } from '../contract/x.ts';",
      "import type { x } from '../activities/x.ts';",
    ],
    forbidden: [
      "import { x } from 'zod';",
      "import type { x } from 'zod';",
      "import { x } from '../contract/x.ts';",
      "import { x } from '../activities/x.ts';",
      "import { x } from '@temporalio/activity';",
      "import { x } from 'node:crypto';",
      "import type { x } from '../client/x.ts';",
    ],
  },
  'workflows/shipments': {
    allowed: [
      "import { x } from '../x.ts';",
      "import { x } from '../../driver/x.ts';",
      "import { x } from '../../flows/x.ts';",
      "import { x } from '../../limits/backoff.ts';",
      "import type { x } from '../../contract/x.ts';",
    ],
    forbidden: [
      "import { x } from '../../contract/x.ts';",
      "import { x } from '../../limits/time-limit.ts';",
      "import { x } from '../../service/x.ts';",
    ],
  },
  activities: {
    allowed: [
      "import { x } from '@temporalio/activity';",
      "import { x } from '../contract/x.ts';",
      "import { x } from '../routing/x.ts';",
      "import { x } from './api/x.ts';",
      "import { x } from 'node:crypto';",
    ],
    forbidden: [
      "import { x } from '../workflows/x.ts';",
      "import { x } from '../machines/x.ts';",
      "import { x } from '@temporalio/client';",
      "import { x } from 'undici';",
    ],
  },
  'activities/booking': {
    allowed: ["import { x } from '../x.ts';", "import { x } from '../api/x.ts';"],
    forbidden: ["import { x } from '../../workflows/x.ts';", "import { x } from 'undici';"],
  },
  routing: {
    allowed: ["import { x } from '../contract/x.ts';", "import { x } from '@temporalio/client';"],
    forbidden: [
      "import { x } from '../activities/x.ts';",
      "import { x } from '../workflows/x.ts';",
      "import { x } from '@temporalio/activity';",
    ],
  },
  codec: {
    allowed: [
      "import { x } from '@temporalio/common';",
      "import { x } from '../settings/x.ts';",
      "import { x } from 'node:crypto';",
    ],
    forbidden: ["import { x } from '../contract/x.ts';", "import { x } from '@temporalio/client';"],
  },
  telemetry: {
    allowed: [
      "import { x } from '@opentelemetry/api';",
      "import { x } from '@temporalio/common';",
      "import { x } from './x.ts';",
    ],
    forbidden: [
      "import { x } from '../contract/x.ts';",
      "import { x } from '../service/x.ts';",
      "import { x } from 'kysely';",
    ],
  },
  'activities/connectors': {
    allowed: [
      "import { x } from 'undici';",
      "import { x } from '../api/x.ts';",
      "import { x } from '../../settings/x.ts';",
      "import { x } from '@temporalio/activity';",
    ],
    forbidden: [
      "import { x } from '../booking/x.ts';",
      "import { x } from '../../workflows/x.ts';",
      "import { x } from 'zod';",
    ],
  },
  'activities/api': {
    allowed: ["import { x } from 'undici';", "import { x } from '../../contract/x.ts';"],
    forbidden: [
      "import { x } from '@temporalio/activity';",
      "import type { x } from '@temporalio/common';",
      "import { x } from '../../machines/x.ts';",
    ],
  },
  worker: {
    allowed: [
      "import { x } from '../codec/x.ts';",
      "import { x } from '../settings/x.ts';",
      "import { x } from '../activities/x.ts';",
      "import { x } from '../contract/x.ts';",
      "import { x } from '../routing/x.ts';",
      "import { x } from '../client/flow-files/x.ts';",
      "import { x } from '../limits/x.ts';",
      "import { x } from '../terminal/x.ts';",
      "import { x } from '@temporalio/client';",
      "import { x } from '@temporalio/worker';",
    ],
    forbidden: [
      "import { x } from '../workflows/x.ts';",
      "import { x } from '../client/x.ts';",
      "import { x } from '../service/x.ts';",
    ],
  },
  client: {
    allowed: [
      "import { x } from '../codec/x.ts';",
      "import { x } from '../settings/x.ts';",
      "import { x } from '../contract/x.ts';",
      "import { x } from '../routing/x.ts';",
      "import type { x } from '../workflows/x.ts';",
      "import { x } from '@temporalio/client';",
    ],
    forbidden: [
      "import { x } from '../workflows/x.ts';",
      "import { x } from '../activities/x.ts';",
      "import { x } from '@temporalio/worker';",
    ],
  },
  'client/command-line/verbs': {
    allowed: [
      "import { x } from '../../../activities/api/x.ts';",
      "import { x } from '../x.ts';",
      "import { x } from '../../x.ts';",
      "import { x } from '../../../contract/x.ts';",
      "import { x } from '../../../routing/x.ts';",
      "import { x } from '../../../terminal/x.ts';",
    ],
    forbidden: ["import { x } from '../../../worker/x.ts';", "import { x } from '../../../workflows/x.ts';"],
  },
  service: {
    allowed: [
      "import { x } from '../contract/x.ts';",
      "import { x } from '../machines/x.ts';",
      "import { x } from '../settings/x.ts';",
      "import { x } from '../limits/x.ts';",
      "import { x } from '../terminal/x.ts';",
      "import { x } from './storage/x.ts';",
      "import { x } from 'fastify';",
      "import { x } from 'node:crypto';",
    ],
    forbidden: [
      "import { x } from '@temporalio/common';",
      "import { x } from 'xstate';",
      "import { x } from 'some-package';",
      "import { x } from '../activities/x.ts';",
      "import { x } from '../api/x.ts';",
      "import { x } from '../client/x.ts';",
      "import { x } from '../driver/x.ts';",
      "import { x } from '../local/x.ts';",
      "import { x } from '../routing/x.ts';",
      "import { x } from '../test/x.ts';",
      "import { x } from '../workflows/x.ts';",
    ],
  },
  'service/shipments': {
    allowed: [
      "import { x } from '../x.ts';",
      "import { x } from '../storage/x.ts';",
      "import { x } from '../../contract/wire/x.ts';",
      "import { x } from '../../machines/x.ts';",
    ],
    forbidden: ["import { x } from '../../activities/x.ts';", "import { x } from '../../flows/x.ts';"],
  },
  'service/callbacks/delivery': {
    allowed: [
      "import { x } from '../../x.ts';",
      "import { x } from '../queue/x.ts';",
      "import { x } from '../../storage/x.ts';",
      "import { x } from '../../../contract/x.ts';",
      "import { x } from '../../../settings/x.ts';",
    ],
    forbidden: ["import { x } from '../../../activities/x.ts';", "import { x } from '../../../local/x.ts';"],
  },
  wall: {
    allowed: [
      "import { x } from '../contract/wall/x.ts';",
      "import { x } from './lockers/x.ts';",
      "import { x } from '../settings/values.ts';",
      "import { x } from '../terminal/x.ts';",
      "import { x } from 'yaml';",
    ],
    forbidden: ["import { x } from '../service/x.ts';", "import { x } from '../machines/x.ts';"],
  },
  'wall/connection': {
    allowed: ["import { x } from 'ws';", "import { x } from '../../limits/x.ts';"],
    forbidden: ["import { x } from '../../service/x.ts';", "import { x } from '../../client/x.ts';"],
  },
  console: {
    allowed: [
      "import { x } from './live/x.ts';",
      "import { x } from '../client/x.ts';",
      "import { x } from '../activities/api/index.ts';",
      "import { x } from 'fastify';",
      "import { x } from 'xstate';",
    ],
    forbidden: [
      "import { x } from '../service/x.ts';",
      "import { x } from '../local/x.ts';",
      "import { x } from './page/x.ts';",
      "import { x } from 'kysely';",
    ],
  },
  'console/inbox': {
    allowed: [
      "import { x } from '../refusal.ts';",
      "import { x } from '../decisions/x.ts';",
      "import { x } from '../../client/x.ts';",
      "import { x } from '../../routing/x.ts';",
    ],
    forbidden: ["import { x } from '../page/x.ts';", "import { x } from '../../workflows/x.ts';"],
  },
  'console/process': {
    allowed: [
      "import { x } from '../../driver/chart/x.ts';",
      "import type { x } from '../../driver/trace.ts';",
    ],
    forbidden: [
      "import { x } from '../../driver/process.ts';",
      "import { x } from '../../worker/replay.ts';",
    ],
  },
  'console/page/inbox': {
    allowed: [
      "import { x } from 'preact';",
      "import { x } from 'preact/hooks';",
      "import { x } from '../shell/x.ts';",
      "import { x } from '../decisions/x.tsx';",
      "import type { x } from '../../inbox/inbox-view.ts';",
    ],
    forbidden: [
      "import { x } from 'zod';",
      "import { x } from '../../inbox/x.ts';",
      "import { x } from '../../refusal.ts';",
      "import { x } from '../../../client/x.ts';",
    ],
  },
  local: {
    allowed: ["import { x } from '../worker/x.ts';", "import { x } from '@temporalio/client';"],
    forbidden: ["import { x } from '../test/x.ts';"],
  },
  bench: {
    allowed: ["import { x } from '../local/x.ts';", "import { x } from '../service/x.ts';"],
    forbidden: ["import { x } from '../test/x.ts';"],
  },
  package: {
    allowed: ["import { x } from 'node:fs';"],
    forbidden: ["import { x } from '../test/x.ts';"],
  },
  test: { allowed: ["import { x } from '../local/x.ts';"], forbidden: [] },
};

const kinds = ['allowed', 'forbidden'] as const;
const files = Object.entries(table).flatMap(([folder, row]) =>
  kinds.flatMap((kind) =>
    row[kind].map((statement, index) => ({ folder, kind, statement, path: `${folder}/${kind}-${index}.ts` })),
  ),
);

/** Paths of the files in which Biome refuses an import. */
let refused: ReadonlySet<string>;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-lint-'));
  try {
    await cp(join(root, 'biome.json'), join(folder, 'biome.json'));
    await cp(join(root, 'lint'), join(folder, 'lint'), { recursive: true });
    for (const { path, statement } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), `${statement}\n`);
    }
    refused = await filesRefusedIn(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function filesRefusedIn(folder: string): Promise<ReadonlySet<string>> {
  const biome = join(root, 'node_modules/.bin/biome');
  const args = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none'];
  // It exits with 1, as it must here: what it says is what counts.
  const answer = await new Promise<string>((resolve) => {
    execFile(biome, args, { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
  const { diagnostics } = report.parse(JSON.parse(answer));
  const aboutImports = diagnostics.filter(({ category }) => category === 'plugin' || category === RULE);
  return new Set(aboutImports.map(({ location }) => location.path));
}

describe.each(Object.keys(table))('%s/', (folder) => {
  const mine = files.filter((file) => file.folder === folder);
  test.each(mine.filter(({ kind }) => kind === 'allowed'))('may say: $statement', ({ path }) => {
    expect(refused).not.toContain(path);
  });
  test.each(mine.filter(({ kind }) => kind === 'forbidden'))('must not say: $statement', ({ path }) => {
    expect(refused).toContain(path);
  });
});

test('every folder of the project that holds code has its row', async () => {
  const entries = await readdir(root, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && !withoutCode.test(entry.name));
  expect(Object.keys(table)).toEqual(expect.arrayContaining(folders.map(({ name }) => name)));
});
