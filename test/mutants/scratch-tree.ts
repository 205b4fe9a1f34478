// A copy of a commit beside the checkout, in which one rule at a time is changed and tests are run.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../../local/child-process.ts';

const root = join(import.meta.dirname, '../..');

export interface Ended {
  readonly passed: boolean;
  readonly timedOut: boolean;
  readonly output: string;
}

export interface ScratchTree {
  readonly folder: string;
  readonly files: (pattern: string) => readonly string[];
  readonly read: (path: string) => string;
  /** With this file as given, and then again as it was. */
  readonly withFile: <Value>(path: string, text: string, act: () => Promise<Value>) => Promise<Value>;
  /** Runs a program of its node_modules to its end, or for so long. */
  readonly run: (program: string, words: readonly string[], limitMs: number) => Promise<Ended>;
  readonly remove: () => void;
}

export function scratchTree(commit: string): ScratchTree {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-mutants-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  // Hard links: the same bytes, but a folder of its own, since modules are found from where they really are.
  // Without the caches of tests, which other runs change meanwhile.
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  const names = readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.vite'));
  execFileSync('cp', ['-al', ...names.map((name) => join(root, 'node_modules', name)), modules]);
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  return {
    folder,
    read,
    files: (pattern) => globSync(pattern, { cwd: folder }).sort(),
    withFile: async (path, text, act) => {
      const before = read(path);
      writeFileSync(join(folder, path), text);
      try {
        return await act();
      } finally {
        writeFileSync(join(folder, path), before);
      }
    },
    run: (program, words, limitMs) => run(folder, program, words, limitMs),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function run(
  folder: string,
  program: string,
  words: readonly string[],
  limitMs: number,
): Promise<Ended> {
  const bin = join(folder, 'node_modules/.bin');
  const child = startChild(join(bin, program), words, {
    cwd: folder,
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1', FORCE_COLOR: undefined },
    keptLength: Number.POSITIVE_INFINITY,
  });
  let timedOut = false;
  const limit = setTimeout(() => {
    timedOut = true;
    void child.kill();
  }, limitMs);
  const code = await child.exitCode;
  clearTimeout(limit);
  return { passed: code === 0, timedOut, output: child.said() };
}
