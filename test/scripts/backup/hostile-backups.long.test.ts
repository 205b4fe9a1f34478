// Backups that somebody has made to harm whoever restores them: names that lead out of the folder, links, settings of Postgres
// that name programs, and manifests that this installation has not made. Nothing of them gets anywhere. No Postgres starts.

import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { restore } from '../../../scripts/backup/restore.ts';
import { postgresPrograms } from '../../../scripts/postgres/programs.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { refusal, said } from './commands.ts';

const { major } = await postgresPrograms();
const postgresMajor = await major();
const trusted = async () => undefined;

/** Of all that stands in it. */
let folder: string;
let home: string;
let backup: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  [home, backup] = [join(folder, 'home'), join(folder, 'some', 'backup')];
  for (const each of [home, backup]) await mkdir(each, { recursive: true });
});

const OF_A_BACKUP = {
  'keys/callback-key': 'a key',
  'postgres/password': 'a password',
  'postgres/data/PG_VERSION': String(postgresMajor),
  'postgres/data/backup_label': 'START WAL LOCATION',
};
const FOLDERS = ['keys', 'postgres', 'postgres/data', 'postgres/data/pg_wal'];

/** Writes the files, wherever their names lead, and a manifest that names them. */
async function makeBackup(
  files: Readonly<Record<string, string>> = {},
  { folders = [] as string[], unwritten = [] as string[] } = {},
): Promise<void> {
  const all = { ...OF_A_BACKUP, ...files };
  const allFolders = [...FOLDERS, ...folders];
  for (const name of FOLDERS) await mkdir(join(backup, name), { recursive: true });
  const listed: Record<string, object> = {};
  for (const [name, text] of Object.entries(all)) {
    listed[name] = { bytes: text.length, sha256: hash('sha256', text) };
    if (unwritten.includes(name)) continue;
    await mkdir(dirname(join(backup, name)), { recursive: true });
    await writeFile(join(backup, name), text);
  }
  const at = new Date().toISOString();
  const manifest = { format: 1, at, postgresMajor, folders: allFolders, files: listed };
  await writeFile(join(backup, 'backup.json'), JSON.stringify(manifest));
}

/** All paths below the folder, less those of the backup. */
const paths = async () =>
  (await readdir(folder, { recursive: true })).filter((path) => !path.startsWith('some')).sort();

test('a backup like those of the tests here is restored', async () => {
  await makeBackup();
  await restore(home, backup, trusted);
  expect(await readFile(join(home, 'callback-key'), 'utf8')).toBe('a key');
  expect(await readFile(join(home, 'postgres/data/backup_label'), 'utf8')).toBe('START WAL LOCATION');
});

describe('a manifest that names', () => {
  test.each([
    'keys/../../escaped',
    '../../escaped',
    'walls/../../escaped',
    'postgres/data/../../../escaped',
    'keys\\..\\..\\escaped',
    'walls/walls/..\\..\\..\\escaped',
    '/tmp/escaped',
    'C:\\escaped',
    './keys/callback-key',
    'keys//callback-key',
    'postgres/data/base/./1',
    'postgres/data/base\u0000/1',
    '',
    // Of this installation, and not of a backup.
    'keys/console-users.yaml',
    'keys/backup-key',
    'restore-unfinished',
    'walls/callback-key',
    'constructor',
  ])('the file %j is refused, and nothing is written', async (name) => {
    await makeBackup(
      { [name]: 'hostile' },
      { unwritten: name.includes('\u0000') || name === '' ? [name] : [] },
    );
    const before = await paths();
    await expect(restore(home, backup, trusted)).rejects.toThrow('which is no part of an installation');
    expect(await paths()).toEqual(before);
  });

  test.each(['keys/../../made', '../made', 'walls/walls/../../../made', 'made'])(
    'the folder %j is refused, and it is not made',
    async (name) => {
      await makeBackup({}, { folders: [name] });
      await expect(restore(home, backup, trusted)).rejects.toThrow('which is no part of an installation');
      expect(await paths()).toEqual(['home']);
    },
  );
});

describe('a link', () => {
  const secret = 'of the person who restores';

  test.each([
    ['in the place of a file', 'keys/callback-key'],
    ['in the place of a folder', 'postgres/data/pg_wal/000000010000000000000001'],
  ])('%s is not followed and not taken', async (_, name) => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'file'), secret);
    await writeFile(join(outside, '000000010000000000000001'), secret);
    await makeBackup({ [name]: secret });
    const linked = name.startsWith('keys') ? name : dirname(name);
    await rm(join(backup, linked), { recursive: true });
    await symlink(name.startsWith('keys') ? join(outside, 'file') : outside, join(backup, linked));
    await expect(restore(home, backup, trusted)).rejects.toThrow(`${linked} is a symbolic link, expected a`);
    expect(await readdir(home)).toEqual([]);
  });
});

// Postgres runs the programs of archive_command and restore_command, and makes links as tablespace_map says.
test('no settings of Postgres come from a backup: they are those of a new installation', async () => {
  const evil = `archive_mode = on\narchive_command = 'touch ${join(folder, 'ran')}'\n`;
  await makeBackup(
    {
      'postgres/data/postgresql.conf': evil,
      'postgres/data/postgresql.auto.conf': evil,
      'postgres/data/conf.d/more.conf': evil,
      'postgres/data/pg_hba.conf': 'host all all all trust',
      'postgres/data/pg_ident.conf': 'hostile',
      'postgres/data/recovery.signal': '',
      'postgres/data/standby.signal': '',
      'postgres/data/tablespace_map': '16384 /tmp',
      'postgres/data/postmaster.opts': 'hostile',
      'postgres/data/global/pg_internal.init': 'hostile',
      'postgres/url': 'postgres://hostile.example/lockerflow',
    },
    { folders: ['postgres/data/conf.d', 'postgres/data/global'] },
  );
  await restore(home, backup, trusted);
  const data = join(home, 'postgres/data');
  expect((await readdir(data)).sort()).toEqual([
    ...['PG_VERSION', 'backup_label', 'global', 'pg_hba.conf', 'pg_ident.conf', 'pg_wal'],
    ...['postgresql.auto.conf', 'postgresql.conf'],
  ]);
  expect(await readdir(join(data, 'global'))).toEqual([]);
  for (const name of ['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf', 'pg_ident.conf'])
    expect(await readFile(join(data, name), 'utf8')).not.toMatch(/^(archive_command|hostile|host .*trust)/m);
  expect(await readFile(join(data, 'pg_hba.conf'), 'utf8')).toMatch(
    /^host +all +all +127\.0\.0\.1\/32 +scram-sha-256/m,
  );
  expect(existsSync(join(home, 'postgres/url'))).toBe(false);
});

describe('a backup that this installation has not made', () => {
  test('is restored only if that is confirmed', async () => {
    await makeBackup();
    const refuses = () => Promise.reject(new Error('not confirmed'));
    await expect(restore(home, backup, refuses)).rejects.toThrow('not confirmed');
    expect(await readdir(home)).toEqual([]);
    const words = await refusal('restore', home, backup);
    expect(words).toContain(
      'this installation has not made the backup, or it was changed since. It can run programs with your rights',
    );
    expect(words).toContain('add --from-elsewhere. Nothing was changed');
    expect(await said('restore', home, backup, '--from-elsewhere')).toContain('is as it was at');
  });

  test('is not taken for one by a key that it brings along', async () => {
    await makeBackup();
    const { createHmac } = await import('node:crypto');
    const text = await readFile(join(backup, 'backup.json'), 'utf8');
    await writeFile(join(home, 'backup-key'), 'the key of this installation');
    for (const key of ['', 'a key', 'undefined']) {
      const mac = createHmac('sha256', key).update(`lockerflow backup ${text}`).digest('hex');
      await writeFile(join(backup, 'backup.mac'), mac);
      await expect(restore(home, backup, () => Promise.reject(new Error('asked')))).rejects.toThrow('asked');
    }
    const key = 'the key of this installation';
    const mac = createHmac('sha256', key).update(`lockerflow backup ${text}`).digest('hex');
    await writeFile(join(backup, 'backup.mac'), `${mac}\n`);
    // One byte of the manifest is another.
    await writeFile(join(backup, 'backup.json'), text.replace('"at":"2', '"at": "2'));
    await expect(restore(home, backup, () => Promise.reject(new Error('asked')))).rejects.toThrow('asked');
    await writeFile(join(backup, 'backup.json'), text);
    await restore(home, backup, () => Promise.reject(new Error('asked')));
    expect(await readFile(join(home, 'callback-key'), 'utf8')).toBe('a key');
  });
});
