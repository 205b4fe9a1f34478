// Whatever the docs tell a reader to type exists: npm's scripts, our programs' verbs and options, and files to run.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../../cli/command-line.ts';
import { commandLine as serviceCommandLine } from '../../service/command-line.ts';
import { nowhere } from '../support/nowhere.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: root })];

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const lockerflow = await commandLine(nowhere);
const service = serviceCommandLine(nowhere);

/** Of every block of commands, and of every command within a sentence; one that goes on in the next line is one. */
function commandsIn(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```|((?:^ {4}.*\n)+)/gm)].map(
    ([, fenced, indented]) => fenced ?? indented ?? '',
  );
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  const inline = [...page.matchAll(/`((?:npm|npx|node) [^`]+)`/g)].map(([, command = '']) => command);
  return [...lines, ...inline].map((line) => line.replace(/\s#\s.*$/, '').trim());
}

/** As a shell would, more or less: what is quoted is one word. */
const wordsOf = (command: string) =>
  [...command.matchAll(/"[^"]*"|\S+/g)].map(([word]) => word).filter((word) => word !== '…');

function wrongIn(program: Command, words: readonly string[]): string[] {
  let command = program;
  let options = [...program.options];
  const wrong: string[] = [];
  let isVerb = true;
  let isValue = false;
  for (const word of words) {
    if (/^[|>]/.test(word)) break;
    const sub = isVerb ? command.commands.find((each) => each.name() === word) : undefined;
    if (isValue) isValue = false;
    else if (sub) {
      command = sub;
      options = [...options, ...sub.options];
    } else if (word.startsWith('--')) {
      const option = options.find(({ long }) => long === word);
      if (!option && word !== '--help') wrong.push(word);
      isValue = option?.required === true;
    } else {
      // What is not a verb is an argument, where one is taken.
      if (isVerb && command.registeredArguments.length === 0) wrong.push(word);
      isVerb = false;
    }
  }
  return wrong;
}

function wrongOf(command: string): string[] {
  const words = wordsOf(command.replace(/^(?:[A-Z_]+=\S* )+/, ''));
  const [program = '', first = '', ...rest] = words;
  if (program === 'npx' && first === 'lockerflow') return wrongIn(lockerflow, rest);
  if (program === 'node') return first.startsWith('-') || existsSync(join(root, first)) ? [] : [first];
  if (program !== 'npm') return [];
  const [script = '', ...after] = first === 'run' ? rest.filter((word) => word !== '-s') : [first, ...rest];
  if (['ci', 'install', 'i', 'pack', 'publish', 'version'].includes(script)) return [];
  if (script !== '' && !(script in scripts)) return [`npm run ${script}`];
  const given = after.slice(after.indexOf('--') + 1);
  if (script === 'service') return wrongIn(service, given);
  const files = given.filter((word) => word.startsWith('test/'));
  return files.filter((file) => !existsSync(join(root, file)));
}

describe.each(pages)('%s', (path) => {
  test('names only commands that exist', () => {
    const wrong = commandsIn(read(path)).map((command) => ({ command, wrong: wrongOf(command) }));
    expect(wrong.filter((each) => each.wrong.length > 0)).toEqual([]);
  });
});

test('a verb, an option, a script and a file that do not exist are found', () => {
  expect(wrongOf('npx lockerflow lst --open')).toEqual(['lst', '--open']);
  expect(wrongOf('npx lockerflow list --opne')).toEqual(['--opne']);
  expect(wrongOf('npm run -s service -- callback resnd acme')).toEqual(['resnd']);
  expect(wrongOf('npm run nothing')).toEqual(['npm run nothing']);
  expect(wrongOf('npm test -- test/nothing')).toEqual(['test/nothing']);
  expect(wrongOf('node scripts/nothing.ts')).toEqual(['scripts/nothing.ts']);
  expect(commandsIn(read('docs/operate.md')).length).toBeGreaterThan(30);
});
