// `start --each`: one process for each row of a file, and never two for one row, also if the command is interrupted and given
// again.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import type { FlowFileProgress } from '../../../flows/language/machine/progress.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { isLongSuite } from '../../support/suite.ts';
import { runningFiles, uniqueName, untilProgress } from '../../workflows/flow-files/running-files.ts';
import { newKey } from '../flows-at-hand.ts';
import { run, startProgram } from './lockerflow-program.ts';

const files = runningFiles();
const { taskQueue } = files;
const flow = uniqueName('Handout');

beforeAll(async () => {
  await files.publish(`
name: ${flow}
meaning: Hands something out.
input:
  type: object
  required: [item, pieces]
  additionalProperties: false
  properties: { item: { type: string }, pieces: { type: integer }, isGift: { type: boolean }, note: { type: string } }
context: {}
initial: waiting
states:
  waiting: { entry: { type: assign, params: { given: "\${input}" } }, on: { over: over } }
  over: { type: final }
output: "\${context.given}"
`);
});

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, text);
  return path;
}

const startEach = (path: string, key: string, ...more: string[]) =>
  run(['start', flow, '--each', path, '--key', key, ...more], { taskQueue });

async function inputOf(key: string): Promise<unknown> {
  const handle = files.client.workflow.getHandle(key);
  await untilProgress(handle, ({ version }) => version === 1);
  const { context } = await handle.query<FlowFileProgress, [object]>('progress', { context: true });
  return (context as { given: unknown }).given;
}

const isThere = (key: string) =>
  files.client.workflow
    .getHandle(key)
    .describe()
    .then(
      () => true,
      () => false,
    );

test('each row of a CSV file is a process: its columns are fields of the request, of the types that the flow wants', async () => {
  const batch = newKey();
  const path = await fileOf(
    'handout.csv',
    '\uFEFFitem;pieces;isGift;note\n007;2;true;"two; for Anna"\n008;1;;\n',
  );
  const { code, out } = await startEach(path, `${batch}-{item}`);
  expect({ code, out: out.split('\n').sort() }).toEqual({
    code: 0,
    out: ['', '2 of 2 rows started', `${batch}-007: started`, `${batch}-008: started`],
  });
  expect(await inputOf(`${batch}-007`)).toEqual({
    item: '007',
    pieces: 2,
    isGift: true,
    note: 'two; for Anna',
  });
  expect(await inputOf(`${batch}-008`)).toEqual({ item: '008', pieces: 1 });
});

test('a JSON object on each line is a row too, and options hold for all rows', async () => {
  const batch = newKey();
  const path = await fileOf(
    'handout.jsonl',
    '{ "item": "a", "pieces": 3 }\n\n{ "item": "b", "request.pieces": 4 }\n',
  );
  expect((await startEach(path, `${batch}-{item}`, '--set', 'request.note=all')).code).toBe(0);
  expect(await inputOf(`${batch}-a`)).toEqual({ item: 'a', pieces: 3, note: 'all' });
  expect(await inputOf(`${batch}-b`)).toEqual({ item: 'b', pieces: 4, note: 'all' });
});

test('a dry run checks every row and starts none', async () => {
  const batch = newKey();
  const path = await fileOf('handout.csv', 'item,pieces\na,1\nb,many\nc,\n');
  const { code, out } = await startEach(path, `${batch}-{item}`, '--dry-run');
  expect(code).toBe(1);
  expect(out).toContain(`${batch}-a: would start`);
  expect(out).toMatch(new RegExp(`${batch}-b \\(line 3\\): .*request\\.pieces`));
  expect(out).toMatch(new RegExp(`${batch}-c \\(line 4\\): .*pieces`));
  expect(out).toContain('1 of 3 rows would start, 2 refused');
  expect(await isThere(`${batch}-a`)).toBe(false);
});

test('a row that is refused stops no other, and its correction is started by the same command', async () => {
  const batch = newKey();
  const path = await fileOf('handout.csv', 'item,pieces\na,many\nb,1\n');
  const first = await startEach(path, `${batch}-{item}`);
  expect(first).toMatchObject({ code: 1, out: expect.stringContaining('1 of 2 rows started, 1 refused') });
  await writeFile(path, 'item,pieces\na,2\nb,1\n');
  const again = await startEach(path, `${batch}-{item}`);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('2 of 2 rows started') });
});

test.runIf(isLongSuite)(
  'interrupted by Ctrl-C, it says how far it is; the same command starts the others',
  async () => {
    const batch = newKey();
    const rows = Array.from({ length: 40 }, (_, index) => `${index},1`);
    const path = await fileOf('handout.csv', ['item,pieces', ...rows].join('\n'));
    const words = ['start', flow, '--each', path, '--key', `${batch}-{item}`];
    const running = startProgram([...words, '--per-second', '5'], { taskQueue });
    await vi.waitUntil(() => running.out().includes('started'), { timeout: 60_000, interval: 20 });
    running.interrupt();
    const { code, out, err } = await running.ended;
    expect(code).toBe(130);
    expect(out).toMatch(/\d+ of 40 rows started, \d+ not tried/);
    expect(err).toContain('the same command again starts the others');
    const again = await startEach(path, `${batch}-{item}`, '--per-second', '200');
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('40 of 40 rows started') });
    expect(await isThere(`${batch}-39`)).toBe(true);
  },
);

test.each([
  ['a key without a column', 'item,pieces\na,1\n', 'loan', 'expected columns in braces, like loan-{item}'],
  ['a column that is not there', 'item,pieces\na,1\n', 'loan-{device}', 'line 2 has nothing for {device}'],
  ['a key twice', 'item,pieces\na,1\na,2\n', 'loan-{item}', 'line 2 and line 3 have the same key, loan-a'],
  ['no rows', 'item,pieces\n', 'loan-{item}', 'has no rows'],
  ['a quote that does not end', 'item,pieces\n"a,1\n', 'loan-{item}', 'is no CSV'],
  ['a line that is no JSON', '{ "item": "a" }\n{ item }\n', 'loan-{item}', 'line 2 is not JSON'],
])('%s is refused before anything starts', async (_, text, key, message) => {
  const { code, err } = await startEach(await fileOf('handout.csv', text), key);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('rows of a built-in flow fill its request', async () => {
  const path = await fileOf(
    'stock.csv',
    'pupUid,dimension.width,dimension.height,dimension.length,deadlines.stock.dropOff\npup-1,20,10,30,P1D\n',
  );
  const { code, out } = await run(
    ['start', 'Stock', '--each', path, '--key', `${newKey()}-{pupUid}`, '--dry-run', '--json'],
    { taskQueue },
  );
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('wouldStart') });
});
