// Which skipped tests fail a run of continuous integration: by the reporter's rules, and by a run of vitest with it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startNode } from '../../../local/child-process.ts';
import { unexpected } from '../../../tools/ci/unexpected-skips.ts';

const skip = (note: string | undefined, source = '', title = 'a test') => ({ note, source, title });

test('a skip with a reason that is listed is expected; any other, and one without a reason, is not', () => {
  const expected = [
    skip('in the long form only: npm run prove'),
    skip('neither docker compose nor docker-compose is installed'),
    skip(undefined, "test.runIf(isLongForm)('all of them')"),
  ];
  expect(unexpected(expected)).toEqual([]);
  const others = [
    skip('no Chromium is installed'),
    skip(undefined),
    skip(undefined, 'test.runIf(isLongForm)', 'in a browser (no Chromium is installed)'),
  ];
  expect(unexpected(others)).toHaveLength(3);
});

test('a run of vitest ends with 1 and names the test and its reason', async () => {
  const folder = await mkdtemp(join(import.meta.dirname, 'skips-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const body = "import { test } from 'vitest';\ntest('it works', ({ skip }) => skip('the moon is full'));\n";
  await writeFile(join(folder, 'skipped.spec.ts'), body);
  const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs');
  const reporter = join(import.meta.dirname, '../../../tools/ci/unexpected-skips.ts');
  const run = startNode([vitest, 'run', '--root', folder, `--reporter=${reporter}`], {
    env: { ...process.env, CI: 'true' },
  });
  expect([await run.exitCode, run.err()]).toEqual([1, expect.stringContaining('it works: the moon is full')]);
});
