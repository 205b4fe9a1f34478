// Who upgrades must be able to go back: a migration since the last release only adds, and none of that release is changed.
// That an instance of the former version serves on a newer schema is shown in rolling-upgrade.test.ts.
import { expect, test } from 'vitest';
import { knownMigrations } from '../../../service/storage/migrations.ts';
import { git, lastRelease, newestRelease, noRelease } from './last-release.ts';
import { wrongForTheWayBack } from './way-back.ts';

const FOLDER = 'service/storage/migrations';

test('no migration since the last release takes the way back away, and those of the release are as they were', async ({
  skip,
}) => {
  const release = await lastRelease().catch((error: Error) => error.message);
  // A copy without its history, like an archive or a shallow clone.
  if (typeof release === 'string') return skip(release);
  const { commit, version } = release;
  const listed = await git('ls-tree', '--name-only', `${commit}:${FOLDER}`);
  const released = new Set(listed.split('\n'));
  const wrong: string[] = [];
  const known = await knownMigrations();
  for (const { name, sql } of known)
    if (!released.has(name)) wrong.push(...wrongForTheWayBack(name, sql, version));
    else if ((await git('show', `${commit}:${FOLDER}/${name}`)) !== sql.trim())
      wrong.push(`${name} is not as ${version} has it`);
  const names = new Set(known.map(({ name }) => name));
  for (const name of released) if (!names.has(name)) wrong.push(`${name} of ${version} is gone`);
  expect(wrong).toEqual([]);
});

test.each([
  ['ALTER TABLE shipments DROP COLUMN description;', /drops/],
  ['ALTER TABLE shipments RENAME COLUMN description TO words;', /renames/],
  ['ALTER TABLE shipments ALTER COLUMN weight TYPE numeric;', /type/],
  ['ALTER TABLE shipments ALTER COLUMN description SET NOT NULL;', /refuses/],
  ['ALTER TABLE shipments ADD COLUMN colour text NOT NULL;', /leaves empty/],
  ['ALTER TABLE shipments ADD CONSTRAINT short CHECK (length(description) < 9);', /refuses/],
  ['DELETE FROM shipments;', /deletes/],
])('%s is refused', (sql, why) => {
  expect(wrongForTheWayBack('9990-one-way.sql', sql, '0.2.0')).toEqual([expect.stringMatching(why)]);
});

test('what only adds is taken, and what takes away says which release no longer uses it', () => {
  const adds = `-- DROP is only a word here.
    ALTER TABLE shipments ADD COLUMN colour text NOT NULL DEFAULT 'grey'; CREATE TABLE colours (colour text NOT NULL);`;
  expect(wrongForTheWayBack('9990-adds.sql', adds, '0.2.0')).toEqual([]);
  const contracts =
    '-- contracts: 0.2.0: it reads words instead.\nALTER TABLE shipments DROP COLUMN description;';
  expect(wrongForTheWayBack('9990-contracts.sql', contracts, '0.2.0')).toEqual([]);
  expect(wrongForTheWayBack('9990-contracts.sql', contracts, '0.3.0')).toEqual([
    expect.stringContaining('expected the last release, 0.3.0'),
  ]);
  expect(wrongForTheWayBack('9990-gone.breaking.sql', contracts, '0.2.0')).toHaveLength(1);
});

test('the last release is found by the exact subject of its commit', () => {
  const lines = [
    'c4 docs: name the release: 0.3.0',
    'c3 release: notes',
    'c2 release: 0.2.0',
    'c1 release: 0.1.0',
  ];
  expect(newestRelease(lines)).toEqual({ commit: 'c2', version: '0.2.0' });
  expect(newestRelease(lines.slice(0, 2))).toBeUndefined();
  expect(noRelease(true)).toContain('git fetch --unshallow');
});
