// `diff`: two versions of a flow file offline, and on a real Temporal what would become of the processes that run.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { runningFiles, uniqueName } from '../../workflows/flow-files/running-files.ts';
import { run } from './lockerflow-program.ts';

const schema = JSON.parse(
  await readFile(join(import.meta.dirname, '../../../docs/diff.schema.json'), 'utf8'),
) as object;
const isAsDocumented = new Ajv2020().compile(schema);

const over = { over: { type: 'final' } };
const file = (name: string, states: object): string =>
  JSON.stringify({
    name,
    meaning: 'Lends.',
    initial: Object.keys(states)[0],
    states: { ...states, ...over },
  });

const lent = { lent: { on: { back: 'over' }, after: { P10D: 'over' } } };
const shorter = { lent: { on: { back: 'over' }, after: { P7D: 'over' } } };
const renamed = { withUser: { on: { back: 'over' }, after: { P10D: 'over' } } };

/** The paths of files that have these texts. */
async function written(...texts: string[]): Promise<string[]> {
  const folder = await temporaryFolder();
  const paths = texts.map((_, index) => join(folder, `${index}.flow.yaml`));
  await Promise.all(paths.map((path, index) => writeFile(path, texts[index] as string)));
  return paths;
}

async function between(before: object, after: object, ...more: string[]) {
  const [old = '', now = ''] = await written(file('Lending', before), file('Lending', after));
  return await run(['diff', now, '--against', old, ...more]);
}

describe('against a file', () => {
  test('it says what differs, in words and as the JSON that is documented', async () => {
    const tagged = { lent: { ...lent.lent, tags: ['waits'] } };
    const { code, out } = await between(lent, tagged);
    expect([code, out]).toEqual([0, 'Lending: 1 change\n  ~ lent\n      + tags: waits\n']);
    const data = JSON.parse((await between(lent, tagged, '--json')).out) as object;
    expect(data).toMatchObject({
      flow: 'Lending',
      verdict: null,
      changes: [{ how: 'added', field: 'tags' }],
    });
    isAsDocumented(data);
    expect(isAsDocumented.errors ?? []).toEqual([]);
  });

  test('another flow is no version of this one', async () => {
    const [old = '', now = ''] = await written(file('Lending', lent), file('Borrowing', lent));
    const { code, err } = await run(['diff', now, '--against', old]);
    expect([code, err]).toEqual([2, expect.stringContaining('expected a version of Borrowing')]);
  });
});

test('`test` reads the versions that stories name from files beside them, and says where one is wrong', async () => {
  const [old = '', now = ''] = await written(file('Lending', lent), file('Lending', shorter));
  const stories = now.replace('1.flow.yaml', 'a.stories.yaml');
  const story = (version: string) => `
flow: 1.flow.yaml
stories:
  - story: It is shorter.
    given: { version: ${version} }
    steps:
      - when: { migrates: 1.flow.yaml }
      - when: { passes: P7D }
        then: { status: active }
`;
  await writeFile(stories, story('0.flow.yaml'));
  const { code, out } = await run(['test', stories]);
  expect([code, out]).toEqual([1, expect.stringContaining('line 8:9: step 2 (passes P7D): status: ')]);
  await writeFile(stories, story('none.flow.yaml'));
  expect((await run(['test', stories])).code).not.toBe(0);
  await writeFile(stories, story('0.flow.yaml').replace('active', 'done'));
  expect((await run(['test', stories])).code).toBe(0);
  expect(old).toContain('0.flow.yaml');
});

describe('against what is published', () => {
  const files = runningFiles();
  const lockerflow = (...words: string[]) => run(words, { taskQueue: files.taskQueue });

  test('every open process is asked what would become of it, though the file is not published', async () => {
    const name = uniqueName('Lending');
    await files.publish(file(name, lent));
    const handles = await Promise.all([1, 2, 3].map(() => files.start(name, {})));
    await vi.waitUntil(
      async () => {
        const query = `LockerFlowVersion = '${name}@1' AND ExecutionStatus = 'Running'`;
        return (await files.client.workflow.count(query)).count === handles.length;
      },
      { timeout: 60_000, interval: 200 },
    );
    const [changed = '', plan = '', carried = ''] = await written(
      file(name, renamed),
      'states: { lent: withUser }\n',
      file(name, { withUser: { ...renamed.withUser, was: 'lent' } }),
    );
    const asked = await lockerflow('diff', changed, '--open', '--json');
    expect(asked.code).toBe(6);
    const data = JSON.parse(asked.out) as object;
    expect(data).toMatchObject({
      verdict: 'needsPlan',
      open: { carried: 0, groups: [{ outcome: 'needsPlan', code: 'StateRemoved', at: 'lent', count: 3 }] },
    });
    isAsDocumented(data);
    expect(isAsDocumented.errors ?? []).toEqual([]);
    const planned = await lockerflow('diff', changed, '--open', '--plan', plan);
    expect(planned).toMatchObject({
      code: 0,
      out: expect.stringContaining('3 open processes would be carried'),
    });
    expect((await lockerflow('diff', carried, '--open')).code).toBe(0);
    // Two versions on, by the names of the version between.
    await files.publish(await readFile(carried, 'utf8'));
    const [further = ''] = await written(file(name, { abroad: { ...renamed.withUser, was: 'withUser' } }));
    expect(await lockerflow('diff', further, '--open')).toMatchObject({
      code: 0,
      out: expect.stringContaining('withUser -> abroad (renamed)'),
    });
    expect((await lockerflow('diff', further, '--against', `${name}@1`)).out).toContain(
      'lent -> abroad (renamed)',
    );
    for (const against of [`${name}@9`, `${name}@1`]) {
      const { code } = await lockerflow('diff', further, '--against', against);
      expect(code).toBe(against.endsWith('@9') ? 3 : 0);
    }
    expect((await lockerflow('diff', further, '--against', 'Other@1')).code).toBe(2);
    for (const handle of handles) await handle.terminate();
  }, 120_000);

  test('a file that was never published has nothing to be compared with', async () => {
    const [path = ''] = await written(file(uniqueName('Unknown'), lent));
    const { code, err } = await lockerflow('diff', path);
    expect([code, err]).toEqual([3, expect.stringContaining('is not published, so there is nothing')]);
  });
});
