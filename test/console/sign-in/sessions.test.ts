// Which sessions end when somebody begins one too many.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAX_PER_PERSON, MAX_SESSIONS, Sessions } from '../../../console/sign-in/sessions.ts';

const byPassword = { passwordHash: 'the hash' };
const atProvider = { provider: { issuer: 'https://idp.example', groups: [] } };
const newSessions = (file?: string) => new Sessions({ file, lastMs: 3_600_000, link: undefined });

it('takes from a person who signs in again and again their own sessions alone', () => {
  const tested = newSessions();
  const administrator = tested.begin('ada', byPassword);
  const mine = Array.from({ length: MAX_SESSIONS + 5 }, () => tested.begin('look', byPassword));
  expect(tested.find(administrator)).toMatchObject({ name: 'ada' });
  expect(mine.filter((secret) => tested.find(secret))).toEqual(mine.slice(-MAX_PER_PERSON));
});

it('keeps apart people of one name who come by a password, a link and a provider', () => {
  const tested = newSessions();
  const others = [
    tested.begin('ada', byPassword),
    tested.begin('ada', { roles: ['look'] }),
    tested.begin('ada', { provider: { issuer: 'https://other.example', groups: [] } }),
  ];
  for (let times = 0; times < MAX_SESSIONS; times += 1) tested.begin('ada', atProvider);
  for (const secret of others) expect(tested.find(secret)).toBeDefined();
});

it('takes the oldest session of whoever has the most when all together have too many', () => {
  const tested = newSessions();
  const first = tested.begin('ada', byPassword);
  const busy = Array.from({ length: 3 }, () => tested.begin('busy', byPassword));
  for (let at = 4; at < MAX_SESSIONS; at += 1) tested.begin(`person ${at}`, byPassword);
  const another = tested.begin('another', byPassword);
  expect(tested.find(first)).toBeDefined();
  expect(busy.map((secret) => tested.find(secret) !== undefined)).toEqual([false, true, true]);
  expect(tested.find(another)).toBeDefined();
});

it('keeps the sessions in its file', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'sessions-')), 'console-sessions.json');
  const kept = newSessions(file);
  const secret = kept.begin('ada', byPassword);
  expect(newSessions(file).find(secret)).toMatchObject({ name: 'ada' });
});
