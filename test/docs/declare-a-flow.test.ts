// docs/declare-a-flow.md, done as it is written, in a copy of this tree: the flow is declared, recorded, changed into its
// second version, and both versions' recordings are replayed; the new one runs on everything real.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLongSuite } from '../support/suite.ts';
import { commandsOf, copyOfTree, editsOf, type TreeCopy } from './worked-page.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/declare-a-flow.md'), 'utf8');
const [first = '', second = ''] = page.split('\n## 5. ');
const FLOW = 'HandOver';
const PATIENCE_MS = 600_000;

test('the flow of the page has a definition that can be started, and so has its second version', async () => {
  const copy = await copyOfTree();
  for (const edit of editsOf(first)) await copy.apply(edit);
  expect(await definitionsIn(copy)).toEqual(['1']);
  for (const edit of editsOf(second)) await copy.apply(edit);
  expect(await definitionsIn(copy)).toEqual(['1', '2']);
});

/** The versions of the page's flow, each of them built. */
async function definitionsIn(copy: TreeCopy): Promise<unknown> {
  const script = `
    const { ${FLOW}: { definitions } } = await import('./workflows/index.ts');
    for (const build of Object.values(definitions)) build();
    console.log(JSON.stringify(Object.keys(definitions)));`;
  return JSON.parse(await copy.run('node', '--input-type=module', '-e', script));
}

// It runs the compiler, two recordings and a test runner inside: the long suite alone.
test.runIf(isLongSuite)(
  'the flow of the page runs, its second version too, and the processes of both are replayed',
  async () => {
    const copy = await copyOfTree();
    const recorded = () => readdir(join(copy.folder, 'test/histories'));

    for (const edit of editsOf(first)) await copy.apply(edit);
    await copy.run('npm', 'run', 'docs');
    await copy.run('npm', 'run', 'record-histories');
    expect(await recorded()).toContain(`${FLOW}@1`);

    for (const edit of editsOf(second)) await copy.apply(edit);
    await copy.run('npm', 'run', 'docs');
    await copy.run('npx', 'tsc');
    await copy.run('npx', 'biome', 'check', '--error-on-warnings', ...edited(page));
    await copy.run('npm', 'run', 'record-histories');
    expect(await recorded()).toEqual(expect.arrayContaining([`${FLOW}@1`, `${FLOW}@2`]));

    const said = await copy.run('npx', 'vitest', 'run', ...TESTS, '-t', `${FLOW}|flow takes|of the flows is`);
    for (const name of SHOWN) expect(said).toContain(name);
  },
  PATIENCE_MS,
);

const edited = (text: string) => [...new Set(editsOf(text).map(({ path }) => path))];

/** Of those that the page has run, the ones in which the new flow is told apart from the others. */
const TESTS = [
  'test/end-to-end/every-flow.test.ts',
  'test/workflows/replay.test.ts',
  'test/workflows/definitions.test.ts',
  'test/flows/built-in/flow-rules.test.ts',
  '--reporter=verbose',
];

const SHOWN = [
  `with our service > ${FLOW} ends as its story says`,
  `with a bare vendor > ${FLOW} ends as its story says`,
  `${FLOW}@1/done is replayed with the same commands, states and result`,
  `${FLOW}@2/done is replayed with the same commands, states and result`,
  `${FLOW}@1/cancelled is replayed`,
];

test('the page runs the tests that this test runs', () => {
  const folders = commandsOf(page)
    .filter((line) => line.startsWith('npm test -- '))
    .flatMap((line) => line.split(' ').slice(3));
  for (const path of TESTS.filter((each) => each.startsWith('test/')))
    expect(
      folders.some((folder) => path.startsWith(`${folder}/`)),
      path,
    ).toBe(true);
});
