// `lockerflow new`: a pattern of the cookbook as the beginning of a flow of one's own.
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/set-up-process.ts';

const program = join(import.meta.dirname, '../../cli/main.ts');
const run = promisify(execFile);

test('a copied pattern has its new name, and its stories pass', async () => {
  const cwd = await temporaryFolder();
  const lockerflow = (...words: string[]) => run(process.execPath, [program, ...words], { cwd });
  expect((await lockerflow('new')).stdout).toContain('waiting/open-days\n  A reader fetches a book');
  await lockerflow('new', 'open-days', 'SchoolHold');
  expect((await readdir(cwd)).sort()).toEqual(['school-hold.flow.yaml', 'school-hold.stories.yaml']);
  expect(await readFile(join(cwd, 'school-hold.flow.yaml'), 'utf8')).toContain('\nname: SchoolHold\n');
  expect((await lockerflow('test', '.')).stdout).toContain('3 stories, 0 failed');
  // Nothing is written over, and what is misspelled is told.
  for (const [words, said] of [
    [['new', 'waiting/open-days', 'SchoolHold'], 'it is there already'],
    [['new', 'open-day'], 'did you mean open-days?'],
    [['new', 'open-days', '../up'], 'is not the name of a flow'],
  ] as const)
    await expect(lockerflow(...words)).rejects.toMatchObject({ stderr: expect.stringContaining(said) });
});

test('where one of the two files is there, neither is written', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'school-hold.stories.yaml'), 'mine');
  const copied = run(process.execPath, [program, 'new', 'open-days', 'SchoolHold'], { cwd });
  await expect(copied).rejects.toMatchObject({
    stderr: expect.stringContaining('school-hold.stories.yaml cannot be written: it is there already'),
  });
  expect(await readdir(cwd)).toEqual(['school-hold.stories.yaml']);
  expect(await readFile(join(cwd, 'school-hold.stories.yaml'), 'utf8')).toBe('mine');
});
