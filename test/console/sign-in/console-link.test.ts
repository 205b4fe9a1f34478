// `lockerflow console-link`: a link to a console that runs, which signs one person in, once.
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeLink } from '../../../client/sign-in-links.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { type TestConsole, useConsoleAlone } from '../console-world.ts';

const server = useConsoleAlone();
let tested: TestConsole;
let home: string;
beforeAll(() => {
  tested = server();
  home = dirname(tested.usersPath);
});

const link = (...words: string[]) =>
  run(['console-link', ...words], { variables: { LOCKERFLOW_HOME: home } });
const secretIn = (text: string) => /#sign-in=([\w-]{43})/.exec(text)?.[1] ?? '';
const open = (secret: string) => tested.post('/api/sign-in/link', { secret });

test('a running console takes the link, once, for the person and the roles that it was made for', async () => {
  const { code, out } = await link('--name', 'anna', '--roles', 'inbox:claims');
  expect([code, out.startsWith(`${tested.address}/#sign-in=`)]).toEqual([0, true]);
  const answer = await open(secretIn(out));
  expect(answer.status).toBe(200);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const me = await fetch(`${tested.address}/api/me`, { headers: { cookie } });
  expect(await me.json()).toMatchObject({ user: { name: 'anna', roles: ['look'], inboxes: ['claims'] } });
  const again = await open(secretIn(out));
  expect([again.status, ((await again.json()) as { detail: string }).detail]).toEqual([
    401,
    expect.stringContaining('npx lockerflow console-link'),
  ]);
});

test('one that is guessed, or too old, signs nobody in', async () => {
  expect((await open('x'.repeat(43))).status).toBe(401);
  expect((await open('../../console-sessions')).status).toBe(401);
  const made = { name: 'anna', by: 'anna', roles: ['look' as const], inboxes: [] };
  expect((await open(makeLink(home, { ...made, endsAt: Date.now() - 1 }).secret)).status).toBe(401);
  expect((await open(makeLink(home, { ...made, endsAt: Date.now() + 60_000 }).secret)).status).toBe(200);
});

test('a link that nobody has opened is gone from the folder with the first one after its end', () => {
  const folder = join(home, 'console-links');
  const made = { name: 'anna', by: 'anna', roles: ['look' as const], inboxes: [] };
  const count = () => readdirSync(folder).length;
  makeLink(home, { ...made, endsAt: Date.now() + 60_000 });
  const before = count();
  makeLink(home, { ...made, endsAt: Date.now() - 1 });
  expect(count()).toBe(before + 1);
  makeLink(home, { ...made, endsAt: Date.now() + 60_000 });
  expect(count()).toBe(before + 1);
});

test('the folder is its owner’s alone, and holds no secret', async () => {
  const folder = join(home, 'console-links');
  const { out } = await link('--json', '--url', 'https://console.example/');
  const { link: whole } = JSON.parse(out) as { link: string };
  expect(whole).toMatch(/^https:\/\/console\.example\/#sign-in=/);
  expect(statSync(folder).mode & 0o077).toBe(0);
  const content = readdirSync(folder).map((name) => name + readFileSync(join(folder, name), 'utf8'));
  expect(content.join()).not.toContain(secretIn(whole));
});

test('whoever may not write in the folder is refused', async () => {
  // All that the command loads: somebody else may not read this checkout.
  expect((await link()).code).toBe(0);
  // Root may write everywhere: there somebody else tries.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  else chmodSync(home, 0o000);
  const refused = await link().finally(() => {
    if (isRoot) process.seteuid?.(0);
    else chmodSync(home, 0o700);
  });
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('you may not make links')]);
});

test.each([
  [['--name', 'an:na'], 2, /"an:na" is not a name; it must begin with/],
  [['--roles', 'rule'], 2, /--roles: "rule" is not a role; expected one or more of look/],
  [['--url', 'console.example'], 2, /--url: "console\.example" is not an address/],
])('%j is refused', async (words, code, message) => {
  const refused = await link(...words);
  expect([refused.code, refused.err]).toEqual([code, expect.stringMatching(message)]);
});

test('where no console has run, it says which folder it expects', async () => {
  const refused = await link('--home', await temporaryFolder());
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('LOCKERFLOW_HOME')]);
});
