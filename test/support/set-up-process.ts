// Runs a script of the set-up as a process of its own, with stand-ins for the programs that it calls.
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';

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

export type SetUpProcess = {
  said(): string;
  /** Resolves when a line that it says contains the text. */
  says(text: string): Promise<unknown>;
  readonly exit: Promise<number | null>;
};

/** PATH holds `programs` and the Node of these tests, and nothing of this machine. */
export function startSetUp(
  args: readonly string[],
  programs: string,
  env: Readonly<Record<string, string>> = {},
): SetUpProcess {
  const PATH = [programs, dirname(process.execPath)].join(delimiter);
  const child = spawn(process.execPath, args, { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return {
    said: () => said,
    says: (text) => vi.waitUntil(() => said.includes(text), { timeout: 60_000 }),
    exit,
  };
}
