// Runs a script of the set-up as a process of its own, with stand-ins for the programs that it calls.
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Child } from '../../local/child-process.ts';
import { nodeProgramOfTest } from './processes/node-program.ts';

/** A folder that is removed when the test has finished. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A program in JavaScript, found by its name on a PATH that has its folder. */
export async function standIn(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!${process.execPath}\nconst fs = require('node:fs');\n${script}\n`);
  await chmod(path, 0o755);
}

/** PATH holds `programs` and the Node of these tests, and nothing of this machine. */
export function startSetUp(
  args: readonly string[],
  programs: string,
  env: Readonly<Record<string, string>> = {},
): Child {
  const PATH = [programs, dirname(process.execPath)].join(delimiter);
  return nodeProgramOfTest(args, { env: { PATH, ...env } });
}
