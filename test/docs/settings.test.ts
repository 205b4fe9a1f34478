// Settings and log lines that the docs name exist, and every setting has its place in the docs.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { secretSettings } from '../../shared/settings/secret-files.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', ...globSync('docs/*.md', { cwd: root })].filter(
  (path) => path !== 'docs/command-line.md',
);
const sources = [
  ...globSync(
    '{activities,cli,client,console,contract,engine,flows,local,processes,scripts,service,shared,worker,workflows}/**/*.{ts,mjs}',
    {
      cwd: root,
    },
  ),
  'docker-compose.yml',
].map(read);
const code = sources.join('\n');

// Where a process reads its settings: a key of an object, at the beginning of a line.
const schemas = [
  'service/settings.ts',
  'console/settings.ts',
  'service/simulated-wall/settings.ts',
  'worker/settings.ts',
  'client/codec-server/settings.ts',
  'client/receiver/settings.ts',
  'shared/settings/report-settings.ts',
  'shared/settings/outreach-settings.ts',
  'contract/wire/service-profile.ts',
  'local/settings.ts',
];
const settings = new Set(
  schemas.flatMap((path) =>
    [...read(path).matchAll(/^ +([A-Z][A-Z0-9]*_[A-Z0-9_]+): /gm)].map(([, name]) => name),
  ),
);
const OURS =
  /^(?:CODEC_SERVER|CONSOLE|LOCKER|LOCKERFLOW|SERVICE|WALL|WORKER|CALLBACK|POSTGRES|DATABASE|KEEP|TEMPORAL_(?:PORT|UI|CLI))_/;

describe.each(pages)('%s', (path) => {
  test('names only settings that some process reads', () => {
    const named = [...read(path).matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)].map(
      ([, name = '']) => name,
    );
    const files = secretSettings.map((name) => `${name}_FILE`);
    const unknown = named.filter((name) => OURS.test(name) && !code.includes(name) && !files.includes(name));
    expect(unknown).toEqual([]);
  });
});

test('the docs describe every setting', () => {
  expect(settings.size).toBeGreaterThan(40);
  const told = pages.map(read).join('\n');
  const missing = [...settings].filter((name) => !told.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});

/** The cells of the rows of those tables that have a column `default`, by its heading. */
function rowsWithDefault(page: string): Record<string, string>[] {
  return page.split(/\n\n+/).flatMap((block) => {
    const [names = [], , ...rows] = block
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    if (!names.includes('default')) return [];
    return rows.map((cells) => Object.fromEntries(names.map((name, column) => [name, cells[column] ?? ''])));
  });
}

test('a number that the docs give as a default is the default', () => {
  const found = schemas.flatMap((path) => [
    ...read(path).matchAll(/^ +([A-Z][A-Z0-9_]+): (.*)\.default\((\d[\d_]*)\)/gm),
  ]);
  // Told in seconds, kept in milliseconds.
  const defaults = new Map(
    found.map(([, name = '', kind = '', value = '']) => [
      name,
      Number(value.replaceAll('_', '')) / (kind.startsWith('seconds(') ? 1_000 : 1),
    ]),
  );
  const told = pages
    .map(read)
    .flatMap(rowsWithDefault)
    .flatMap((row) => {
      const name = /^`([A-Z][A-Z0-9_]+)`$/.exec(row.variable ?? '')?.[1] ?? '';
      const value = /^\d[\d,]*/.exec(row.default ?? '')?.[0].replaceAll(',', '');
      return defaults.has(name) && value !== undefined ? [{ name, value: Number(value) }] : [];
    });
  expect(told.length).toBeGreaterThan(20);
  expect(told).toEqual(told.map(({ name }) => ({ name, value: defaults.get(name) })));
});

describe('docs/operate.md', () => {
  const page = read('docs/operate.md');

  test('names only log lines that some process writes', () => {
    const [, log = ''] = page.split('\n## The log\n');
    const rows = [...log.matchAll(/^\| `(?:service|receiver|worker)` \| (.*?) \|/gm)].map(
      ([, cell = '']) => cell,
    );
    const messages = rows.flatMap((cell) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
    );
    expect(messages.length).toBeGreaterThan(8);
    for (const message of messages) expect(code.includes(`'${message}'`), message).toBe(true);
  });

  test('quotes the texts of flows and of the command line exactly', () => {
    const quoted = [...page.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].flatMap(([, words = '']) =>
      words.split(/ ?… ?|: …|(?<=^a person): /).filter((part) => part.length > 8),
    );
    expect(quoted.length).toBeGreaterThan(8);
    const spoken = `${read('flows/booking/view.ts')}${code}`;
    for (const words of quoted) expect(spoken.includes(words), words).toBe(true);
  });
});
