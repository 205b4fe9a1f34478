// A page of docs that tells how to change this tree, as steps that can be done in a copy of it: new files, changes of
// files, and commands. What a page names but the copy does not have is an error.
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/set-up-process.ts';

const root = join(import.meta.dirname, '../..');
const NOT_COPIED = new Set(['node_modules', '.git', '.lockerflow', 'dist']);

export interface Edit {
  readonly path: string;
  readonly kind: 'ts' | 'diff';
  readonly text: string;
}

/** Blocks of code that come right after a line which begins with a file's path and ends with a colon. */
export function editsOf(page: string): Edit[] {
  const blocks = page.matchAll(/(?:^|file )`([\w./@-]+\.ts)`[^\n]*:\n\n```(ts|diff)\n([\s\S]*?)```/gm);
  return [...blocks].map(([, path = '', kind, text = '']) => ({ path, kind: kind as Edit['kind'], text }));
}

/** The lines of the blocks marked sh, without their remarks. */
export function commandsOf(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)```/gm)].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/\s+# .*$/, '').trim())
      .filter((line) => line !== ''),
  );
}

export interface TreeCopy {
  readonly folder: string;
  apply(edit: Edit): Promise<void>;
  /** What it said; throws with that where it fails. */
  run(program: string, ...args: string[]): Promise<string>;
}

/** Removed with the test. What is installed is shared. */
export async function copyOfTree(): Promise<TreeCopy> {
  const folder = await temporaryFolder();
  for (const name of await readdir(root))
    if (!NOT_COPIED.has(name))
      await cp(join(root, name), join(folder, name), {
        recursive: true,
        filter: (path) => basename(path) !== 'node_modules',
      });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    apply: async ({ path, kind, text }) => {
      const file = join(folder, path);
      if (kind === 'ts') return await writeFile(file, text, { flag: 'wx' });
      await writeFile(file, changed(path, await readFile(file, 'utf8'), text));
    },
    run: async (program, ...args) => {
      try {
        const { stdout, stderr } = await promisify(execFile)(program, args, {
          cwd: folder,
          env: { ...process.env, VITEST: undefined, NO_COLOR: '1' },
          maxBuffer: 64_000_000,
        });
        return `${stdout}${stderr}`;
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
      }
    },
  };
}

/** The lines that a diff keeps or takes away must be there, together, exactly once. */
function changed(path: string, text: string, diff: string): string {
  const lines = diff.split('\n').slice(0, -1);
  const without = (mark: string) =>
    lines.filter((line) => !line.startsWith(mark)).map((line) => `${line.slice(1)}\n`);
  const before = without('+').join('');
  const found = text.split(before).length - 1;
  if (found !== 1) throw new Error(`${path} has these lines ${found} times, expected once:\n${before}`);
  return text.replace(before, () => without('-').join(''));
}
