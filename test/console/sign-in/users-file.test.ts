// The file of the console's users: its lines, what is wrong with one, and passwords.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { newUserLine } from '../../../console/sign-in/new-user.ts';
import { isPassword } from '../../../console/sign-in/password.ts';
import { UsersFile, usersIn } from '../../../console/sign-in/users-file.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';

const HASH = `scrypt$4096$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
const line = (name: string, roles: string, password: string) =>
  newUserLine(name, roles, Readable.from([`${password}\n`]), nowhere());

test('the command makes a line that the file takes, and its password is right, and no other', async () => {
  const made = await line('anna', 'decide', 'correct horse battery');
  expect(made).not.toContain('correct');
  const user = usersIn(`# people\n\n${made}\n`, 'users').get('anna');
  expect(user?.roles).toEqual(['look', 'decide']);
  expect(await isPassword('correct horse battery', user?.hash)).toBe(true);
  expect(await isPassword('correct horse batterz', user?.hash)).toBe(false);
  expect(await isPassword('anything', undefined)).toBe(false);
});

test('a short password, an unknown role and a name that breaks the file are refused', async () => {
  await expect(line('anna', 'look', 'short')).rejects.toThrow('12 characters or more');
  await expect(line('anna', 'rule', 'correct horse battery')).rejects.toThrow(
    '"rule" is not a role; expected',
  );
  await expect(line('an:na', 'look', 'correct horse battery')).rejects.toThrow('is not a name');
});

test('one error names every wrong line, and shows no hash', () => {
  const text = `anna:look:scrypt$1$secret\nbram\n:look:\nolga:look:${HASH}\nolga:decide:${HASH}`;
  expect(() => usersIn(text, '/etc/users')).toThrow(
    /\/etc\/users is wrong: line 1: .*; line 2: .*; line 3: .*; line 5: olga has a line above already/,
  );
  expect(() => usersIn(text, '/etc/users')).not.toThrow(/secret/);
});

test('a person who is taken out of the file is out at once', async () => {
  const path = join(await temporaryFolder(), 'users');
  writeFileSync(path, `anna:look:${HASH}\nbram:decide:${HASH}\n`);
  const users = new UsersFile(path);
  expect(users.get('bram')?.roles).toEqual(['look', 'decide']);
  writeFileSync(path, `anna:look:${HASH}\n# bram has left\n`);
  expect(users.get('bram')).toBeUndefined();
  expect(users.get('anna')).toBeDefined();
});

test('a change that breaks the file keeps the former users, says so once, and counts when it is mended; without the file nobody gets in', async () => {
  const path = join(await temporaryFolder(), 'users');
  writeFileSync(path, `anna:look:${HASH}\n`);
  const said: (string | null)[] = [];
  const users = new UsersFile(path, (why) => said.push(why));
  writeFileSync(path, `anna:look:${HASH}\nbram:rule:${HASH}\n`);
  for (let times = 0; times < 3; times++) expect(users.get('anna')).toBeDefined();
  expect(users.get('bram')).toBeUndefined();
  expect(users.problem).toMatch(/line 2: "rule" is not a role/);
  rmSync(path);
  expect(() => users.get('anna')).toThrow('cannot be read (ENOENT');
  writeFileSync(path, `bram:decide:${HASH}\n`);
  expect(users.get('bram')).toBeDefined();
  expect(users.get('anna')).toBeUndefined();
  expect(said).toEqual([expect.stringContaining('line 2'), null]);
});

test('a broken file does not start', async () => {
  const path = join(await temporaryFolder(), 'users');
  writeFileSync(path, `bram:rule:${HASH}\n`);
  expect(() => new UsersFile(path)).toThrow('line 1: "rule" is not a role');
  expect(() => new UsersFile(`${path}-none`)).toThrow('cannot be read (ENOENT');
});

test('a line gives the inboxes in which a person may answer, without the role decide', () => {
  const user = usersIn(`anna:inbox:claims,inbox:lost%2C%20found:${HASH}\n`, 'users').get('anna');
  expect(user).toMatchObject({ roles: ['look'], inboxes: ['claims', 'lost, found'], hash: HASH });
  expect(() => usersIn('anna:inbox::', 'users')).toThrow('"inbox:" is not a role');
});
