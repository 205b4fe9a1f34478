// What a command loads: only what its verb needs. Temporal's client alone takes a quarter of a second.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../../cli/command-line.ts';
import { helpOf } from '../../docs/command-line.ts';
import { nowhere } from '../support/nowhere.ts';
import { nodeProgram } from '../support/processes/node-program.ts';

/** Writes each module that is loaded, a line each, into a file: a pipe may be full, and writing to it at once then fails. */
const WRITES_MODULES = `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) appendFileSync(process.env.LOADED_MODULES, url + '\\n');
      return next(url, context);
    },
  });`)}`;

async function loadedBy(...words: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-loaded-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const LOADED_MODULES = join(folder, 'modules.txt');
  const child = nodeProgram(['--import', WRITES_MODULES, 'cli/main.ts', ...words], {
    variables: { LOADED_MODULES },
  });
  expect(await child.exitCode, child.err()).toBe(0);
  const urls = (await readFile(LOADED_MODULES, 'utf8')).split('\n');
  const named = (pattern: RegExp) =>
    [...new Set(urls.flatMap((url) => pattern.exec(url)?.slice(1) ?? []))].toSorted();
  return {
    packages: named(/\/node_modules\/((?:@[^/]+\/)?[^/]+)/),
    verbs: named(/\/cli\/verbs\/(.+)\.ts$/),
  };
}

test('--version loads neither a verb nor a package of one', async () => {
  expect(await loadedBy('--version')).toEqual({ packages: ['commander'], verbs: [] });
});

test('a verb loads no other verb', async () => {
  const { packages, verbs } = await loadedBy('show', '--help');
  expect(verbs).toEqual(['show']);
  expect(packages).toContain('@temporalio/client'); // What is loaded is seen.
});

test('whoever reads a chart loads nothing of the sandbox of workflows', async () => {
  const { packages } = await loadedBy('flows', 'Issue', '--chart', 'json');
  expect(packages).not.toContain('@temporalio/workflow');
});

describe('each verb', async () => {
  const { commands } = await commandLine(nowhere);

  test.each(commands.map((verb) => verb.name()))('%s is found by its name', async (name) => {
    const named = async (...words: string[]) =>
      (await commandLine(nowhere, words)).commands.map((verb) => verb.name());
    expect(await named(name)).toEqual([name]);
    expect(await named('--json', name, '--help')).toEqual([name]);
  });

  test('has an example in its help', () => {
    for (const verb of commands) expect(helpOf(verb)).toContain('Examples:\n  ');
  });
});

test('a verb that is misspelt is compared with all of them', async () => {
  expect((await commandLine(nowhere, ['shwo'])).commands.length).toBeGreaterThan(30);
});
