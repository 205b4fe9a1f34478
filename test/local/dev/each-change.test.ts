// Changes of a folder: each is acted upon once it is there, however it comes.
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onEachChange } from '../../../local/dev/each-change.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';

/** @param act gives false where it is to be tried again */
function watched(folder: string, act: (names: readonly string[]) => boolean = () => true) {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const seen: (readonly string[])[] = [];
  const ended = onEachChange(
    folder,
    async () => {
      const names = await readdir(folder).catch(() => ['gone']);
      seen.push(names.sort());
      return act(names);
    },
    over.signal,
  );
  const sees = (names: readonly string[]) => expect.poll(() => seen.at(-1)).toEqual(names);
  return { sees, seen, ended, end: () => over.abort() };
}

test('it acts at once, and after each file that is saved, as editors do it', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a'), '');
  const { sees, ended, end } = watched(folder);
  await sees(['a']);
  await writeFile(join(folder, 'b'), '');
  await sees(['a', 'b']);
  // Written beside it, and put in its place.
  await writeFile(join(folder, 'b~'), 'new');
  await rename(join(folder, 'b~'), join(folder, 'c'));
  await sees(['a', 'b', 'c']);
  await rm(join(folder, 'a'));
  await sees(['b', 'c']);
  end();
  await ended;
});

test('it acts again without a change as long as something could not be done', async () => {
  let tries = 0;
  const { seen } = watched(await temporaryFolder(), () => {
    tries += 1;
    return tries === 2;
  });
  await expect.poll(() => seen.length).toBe(2);
});

test('a folder that is gone is found again when it is back', async () => {
  const folder = join(await temporaryFolder(), 'flows');
  await mkdir(folder);
  const { sees } = watched(folder, (names) => !names.includes('gone'));
  await sees([]);
  await rm(folder, { recursive: true });
  await sees(['gone']);
  await mkdir(folder);
  await writeFile(join(folder, 'a'), '');
  await sees(['a']);
  await writeFile(join(folder, 'b'), '');
  await sees(['a', 'b']);
});
