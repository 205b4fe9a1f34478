// `npm run backup` and `npm run restore`, less their set-up, as tests call them.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');

export const command = (name: 'backup' | 'restore', home: string, ...words: string[]) => ({
  program: process.execPath,
  words: ['--disable-warning=ExperimentalWarning', join(root, `scripts/backup/${name}-command.ts`), ...words],
  options: { env: { ...process.env, LOCKERFLOW_HOME: home, DATABASE_URL: '', INIT_CWD: '' } },
});

export async function said(name: 'backup' | 'restore', home: string, ...words: string[]): Promise<string> {
  const { program, words: all, options } = command(name, home, ...words);
  const { stdout, stderr } = await promisify(execFile)(program, all, options);
  return stdout + stderr;
}

export const refusal = (name: 'backup' | 'restore', home: string, ...words: string[]) =>
  said(name, home, ...words).then(
    (words) => `no refusal: ${words}`,
    (error: { stderr: string }) => error.stderr,
  );
