// The structure that a reader relies on: no circle of files, no crowded folder, no fragment that belongs into the file
// that imports it. Read from the imports, those of types among them.
import { dirname } from 'node:path/posix';
import { expect, test } from 'vitest';
import { codeFiles } from '../../tools/lint/imports.ts';
import { circleIn, importsIn, importsOfRooms } from './import-graph.ts';

/** Of more files than this in one folder a reader finds none. */
const MOST_FILES = 25;
/** A file with fewer lines, and one importer, is a fragment. */
const FRAGMENT_LINES = 15;

const texts = codeFiles();
const imports = importsIn(texts);

test('a circle is found', () => {
  const circle = { one: ['two'], two: ['three'], three: ['four', 'two'], four: [] };
  expect(circleIn(new Map(Object.entries(circle)))).toEqual(['two', 'three', 'two']);
});

test('no files import each other in a circle, not even types', () => {
  expect(imports.size).toBeGreaterThan(500);
  expect(circleIn(imports)).toBeUndefined();
});

test(`no folder has more than ${MOST_FILES} files of code`, () => {
  const counts = new Map<string, number>();
  for (const path of texts.keys()) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});

/** An operation's handler is an idea of its own, however short: a search for the operation finds it. */
const isHandler = (path: string) => /^service\/[\w-]+\/(?:[a-z]+-)+[a-z]+\.ts$/.test(path);

/** Each area of the console's page has its own, however short, in the same place. */
const isListOfViews = (path: string) => /^console\/page\/.*views\.tsx?$/.test(path);

test(`no file is shorter than ${FRAGMENT_LINES} lines and imported by one other alone`, () => {
  const importers = new Map<string, number>();
  for (const each of imports.values())
    for (const path of new Set(each)) importers.set(path, (importers.get(path) ?? 0) + 1);
  const fragments = [...texts].filter(
    ([path, text]) =>
      !path.startsWith('test/') &&
      !path.startsWith('flows/') &&
      !isListOfViews(path) &&
      importers.get(path) === 1 &&
      text.split('\n').length - 1 < FRAGMENT_LINES &&
      !isHandler(path),
  );
  expect(fragments.map(([path]) => path)).toEqual([]);
});

test('in local/, tools/bench/ and test/ one module starts processes', () => {
  const starters = [...texts].filter(
    ([path, text]) =>
      /^(?:local|tools\/bench|test)\/.*\.ts$/.test(path) &&
      /import \{[^}]*\b(?:spawn|fork|exec)\b[^}]*\} from 'node:child_process'/.test(text),
  );
  expect(starters.map(([path]) => path)).toEqual(['local/child-process.ts']);
});

const inService = new Map([...imports].filter(([path]) => path.startsWith('service/')));
const rooms = importsOfRooms('service', inService);

test('no rooms of the service import each other in a circle', () => {
  expect(rooms.get('lockers')).toContain('shipments');
  expect(circleIn(rooms)).toBeUndefined();
});

test('of the service only server.ts imports the sandbox', () => {
  const importers = [...inService].filter(([, imported]) =>
    imported.some((path) => path.startsWith('service/sandbox/')),
  );
  const outside = importers.map(([file]) => file).filter((file) => !file.startsWith('service/sandbox/'));
  expect(outside).toEqual(['service/server.ts']);
});

test('handlers do not know of HTTP', () => {
  for (const room of ['accounts', 'callbacks', 'lockers', 'shipments'])
    expect(rooms.get(room), room).not.toContain('http');
});

/** Tests of no folder alone: of the whole, by what may go wrong with it. */
const OF_THE_WHOLE =
  /^test\/(architecture|chaos|docker|end-to-end|interface|proofs|security|simulation|upgrade)\//;

test('each test lies in the folder of the same name as the code that it tests', () => {
  const folders = new Set([...texts.keys()].map((path) => dirname(path)));
  const tests = [...texts.keys()].filter((path) => path.endsWith('.test.ts'));
  const lost = tests.filter(
    (path) => !OF_THE_WHOLE.test(path) && !folders.has(dirname(path).replace('test/', '')),
  );
  expect(tests.length).toBeGreaterThan(150);
  expect(lost).toEqual([]);
});

test('no comment begins as a fragment with "Of"', () => {
  const fragments = [...texts]
    .filter(([path]) => !path.startsWith('test/'))
    .flatMap(([path, text]) =>
      text
        .split('\n')
        .filter((line) => /^\s*(?:\/\/|\*|\/\*\*) Of \w/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(fragments).toEqual([]);
});
