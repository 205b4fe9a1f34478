// The cookbook docs/patterns.md, made from the files in docs/examples/patterns/; and the yardsticks of others, from
// pattern-rows.ts.
import { readdir, readFile } from 'node:fs/promises';
import { soundFile } from '../cli/flow-file-text.ts';
import { type Row, type Support, type Yardstick, yardsticks } from './pattern-rows.ts';

const SUFFIX = '.flow.yaml';
const folder = new URL('./examples/patterns/', import.meta.url);

/** By folder: what a team wants. */
export const groups: Readonly<Record<string, string>> = {
  steps: 'Put steps together',
  branches: 'Join what runs at the same time',
  many: 'Do the same for many',
  waiting: 'Wait, and begin in time',
  events: 'Hear from other systems',
  flows: 'Let flows work together',
  bookings: 'Book lockers',
  people: 'Let people work and decide',
  failing: 'Fail, undo and stop',
  calls: 'Call other systems',
};

const supportMeanings: Readonly<Record<Support, string>> = {
  directly: 'a part of the language does it: nothing is counted, queued or copied by hand',
  workaround:
    'a file does it, with more than one part: the row says what is by hand, or who else does a part of it',
  notYet: 'no file does it yet',
  refused: 'no file will: the row says why, and what does instead',
};
const supportTexts: Readonly<Record<Support, string>> = {
  directly: 'directly',
  workaround: 'by a workaround',
  notYet: 'not yet',
  refused: 'refused on purpose',
};

interface Pattern {
  /** Below docs/examples/patterns, without the ending. */
  readonly path: string;
  readonly title: string;
  readonly meaning: string;
  /** The comment at the top of the file. */
  readonly called: string;
}

export async function patternsPage(): Promise<string> {
  const found = await Promise.all(Object.keys(groups).map(patternsOf));
  return mainPage(found.flat());
}

async function patternsOf(group: string): Promise<Pattern[]> {
  const names = (await readdir(new URL(group, folder))).filter((name) => name.endsWith(SUFFIX)).sort();
  return await Promise.all(names.map((name) => patternOf(`${group}/${name.slice(0, -SUFFIX.length)}`)));
}

async function patternOf(path: string): Promise<Pattern> {
  const place = new URL(`${path}${SUFFIX}`, folder);
  const { name, meaning } = await soundFile(place.pathname);
  const [first = ''] = (await readFile(place, 'utf8')).split('\nname: ', 1);
  const called = first
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^# ?/, ''))
    .join(' ')
    .replace(/^Also called: /, '')
    .trim();
  return { path, meaning, title: titleOf(name), called };
}

/** `BatchWithFailures` is Batch with failures. */
const titleOf = (name: string): string =>
  name.replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const WRITTEN =
  '<!-- Written by `npm run docs` from docs/examples/patterns/; a test fails when it is not current, or when a story fails. -->';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`);

function mainPage(patterns: readonly Pattern[]): string {
  const lines = [
    ...['# Patterns: a cookbook of flow files', '', WRITTEN, ''],
    'Common needs of a process, each as a small [flow file](flow-files.md) with its stories, and the names that other tools have',
    'for it. Copy a file and the stories beside it, then change both: `npx lockerflow test` runs the stories.',
    '',
    ...Object.entries(groups).flatMap(([group, title]) => [
      ...[`## ${title}`, ''],
      ...table(
        ['pattern', 'example', 'also called'],
        patterns
          .filter(({ path }) => path.startsWith(`${group}/`))
          .map((each) => [fileLink(each), each.meaning, each.called]),
      ),
      '',
    ]),
    ...['## Compared with the catalogues of others', ''],
    'How the language covers three lists that others wrote. [pattern-rows.ts](pattern-rows.ts) has every row with the file that',
    'shows it, and what a workaround is; the last table has what no file does.',
    '',
    ...yardsticks.flatMap(({ about }) => about.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`)),
    '',
    ...summary(),
    ...Object.entries(supportMeanings).map(
      ([support, meaning]) => `- **${supportTexts[support as Support]}**: ${meaning}.`,
    ),
    '',
    ...notDone(patterns),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

const countOf = ({ rows }: Yardstick, support: Support): number =>
  rows.filter((row) => row.support === support).length;

function summary(): string[] {
  const kinds = Object.keys(supportMeanings) as Support[];
  return [
    ...table(
      ['catalogue', 'rows', ...kinds.map((kind) => supportTexts[kind])],
      yardsticks.map((each) => [
        each.title,
        String(each.rows.length),
        ...kinds.map((kind) => String(countOf(each, kind))),
      ]),
    ),
    '',
  ];
}

function notDone(patterns: readonly Pattern[]): string[] {
  const rows = yardsticks.flatMap((each) => each.rows);
  const others = rows.filter(({ support }) => support === 'notYet' || support === 'refused');
  return table(
    ['', 'name', 'here', 'file', ''],
    others.map((row) => [row.id, row.name, supportTexts[row.support], linkOf(row, patterns), row.note ?? '']),
  );
}

function linkOf({ file }: Row, patterns: readonly Pattern[]): string {
  if (file === undefined) return '';
  const found = patterns.find(({ path }) => path === file);
  if (!found) throw new TypeError(`${file} is no file below docs/examples/patterns`);
  return fileLink(found);
}

const fileLink = ({ title, path }: Pattern): string => `[${title}](examples/patterns/${path}${SUFFIX})`;
