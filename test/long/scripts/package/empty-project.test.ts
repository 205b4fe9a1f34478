// The package in an empty project, by the commands of the docs: npm lays out anew what it installs, without this tree's lock.
// So it finds what a user's first day finds, such as several copies of protobufjs; it needs npm's registry.
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import proto from '@temporalio/proto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack, run } from '../../../scripts/package/installed-package.ts';
import { historyOf, recordings } from '../../../workflows/recording/recordings.ts';

const root = join(import.meta.dirname, '../../../..');
// 300 MB are installed, on a machine that has other work too.
const SLOW_MS = 600_000;
const BUILT_IN = 'histories/issue.json';
const OF_A_FILE = 'histories/of-a-file.json';

let home: string;
let folder: string;

// With what reaches the network here, and nothing of the test that runs.
const variables = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|NODE_ENV$|npm_(?!config_)|TEMPORAL_|LOCKER|FORCE_COLOR)/.test(name),
  ),
);
const typed = (command: string) =>
  run('sh', ['-c', command], folder, { ...variables, NO_COLOR: '1', npm_config_prefer_offline: 'true' });

/** The commands of the first block after a heading. */
async function commandsAfter(page: string, heading: string): Promise<string> {
  const [, after = ''] = (await readFile(join(root, page), 'utf8')).split(`\n${heading}\n`);
  const [, commands] = /```sh\n(.*?)```/s.exec(after) ?? [];
  if (!commands) throw new Error(`${page} has no commands after "${heading}"`);
  return commands;
}

beforeAll(async () => {
  home = await mkdtemp(join(await realpath(tmpdir()), 'lockerflow-empty-'));
  folder = join(home, 'project');
  await mkdir(join(folder, 'histories'), { recursive: true });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await pack(join(home, 'checkout'), join(folder, `lockerflow-${version}.tgz`));
  await typed(await commandsAfter('docs/integrate.md', '## The package'));
  const recorded = (await recordings()).find(({ name }) => name === 'Issue@1/done');
  if (!recorded) throw new Error('expected a recording of Issue@1/done');
  await writeFile(join(folder, BUILT_IN), historyToJSON(historyOf(recorded.recording)));
  const ofFile = await readFile(join(root, 'test/histories/migrations/02-state-renamed.history'));
  const { History } = proto.temporal.api.history.v1;
  await writeFile(join(folder, OF_A_FILE), historyToJSON(History.decode(ofFile)));
}, SLOW_MS);
afterAll(() => rm(home, { recursive: true, force: true }), SLOW_MS);

test('npx lockerflow replay --file replays recorded histories', { timeout: SLOW_MS }, async () => {
  const replay = `npx lockerflow replay --file ${BUILT_IN} ${OF_A_FILE}`;
  expect(await typed(replay)).toBe('2 replayed, 0 differently\n');
});

test('the replay test of the docs replays them, and fails by name for one that differs', {
  timeout: SLOW_MS,
}, async () => {
  await cp(join(root, 'docs/examples/own-project'), folder, { recursive: true });
  await typed(await commandsAfter('docs/replay-tests.md', '## Set it up'));
  const replay = await commandsAfter('docs/replay-tests.md', '## Replay');
  expect(await typed(replay)).toMatch(/Tests +3 passed/);

  const { events } = JSON.parse(await readFile(join(folder, BUILT_IN), 'utf8'));
  const started = events[0].workflowExecutionStartedEventAttributes;
  started.workflowType.name = 'NotExported';
  await writeFile(join(folder, 'histories/changed.json'), JSON.stringify({ events }));
  const failed = await typed(replay).catch(({ message }: Error) => message);
  expect(failed).toContain('changed.json is replayed with the same decisions');
  expect(failed).toContain('DeterminismViolationError');
});
