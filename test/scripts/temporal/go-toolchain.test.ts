// Which Go builds Temporal: the one at hand, or, where that is too old, a newer one that it fetches as a module.
import { access, constants, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goThatFetchesNewer } from '../../../scripts/temporal/go-toolchain.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';

function goSaying(version: string, root = '') {
  const calls: string[] = [];
  const answers = new Map([
    ['version', `go version ${version} linux/arm64\n`],
    ['env', 'linux\narm64\n'],
    ['mod', JSON.stringify({ Dir: root })],
  ]);
  const run = async (...args: string[]) => {
    calls.push(args.join(' '));
    return answers.get(`${args[0]}`) ?? '';
  };
  const said: string[] = [];
  const go = () => goThatFetchesNewer('/usr/bin/go', run, (line) => void said.push(line));
  return { go, calls, said };
}

test.each(['go1.21.0', 'go1.26.8', 'go1.27rc1'])('%s is used unchanged', async (version) => {
  const { go, said } = goSaying(version);
  expect(await go()).toBe('/usr/bin/go');
  expect(said).toEqual([]);
});

test('an older Go fetches a newer one for its platform, which can then be run', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'bin'));
  await mkdir(join(root, 'pkg/tool/linux_arm64'), { recursive: true });
  const programs = [join(root, 'bin/go'), join(root, 'pkg/tool/linux_arm64/compile')];
  for (const program of programs) await writeFile(program, '', { mode: 0o444 });
  const { go, calls, said } = goSaying('go1.19.8', root);
  expect(await go()).toBe(join(root, 'bin/go'));
  for (const program of programs) await access(program, constants.X_OK);
  expect(calls).toContain('mod download -json golang.org/toolchain@v0.0.1-go1.25.0.linux-arm64');
  expect(said).toEqual([expect.stringContaining('Go 1.19 is too old')]);
});

test('a program that is not Go is reported with its output', async () => {
  await expect(goSaying('gccgo').go()).rejects.toThrow('"go version gccgo linux/arm64", expected go1.x');
});
