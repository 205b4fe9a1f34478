// `npm run mutants [how many] [seed]`: changes rules at random, one at a time, in a copy of the last commit, runs the tests
// that `npm run test:quick` names for the folder, and tells which changes no test and no type has caught.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kinds, type Mutant, mutantsOf } from './places.ts';
import { type ScratchTree, scratchTree } from './scratch-tree.ts';

/** Where the rules are. */
const FOLDERS = ['machines', 'contract', 'flows', 'workflows', 'service', 'activities', 'routing'];
/** Data that only looks like rules. */
const NO_RULES = /examples\.ts$|demo-data\.ts$|\.d\.ts$/;
/** A change may make the tests wait for ever: that is caught too. */
const LIMIT_MS = 300_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commit: { type: 'string', default: 'HEAD' },
    /** Of the form of test/quick.json, for a commit that has none. */
    tests: { type: 'string' },
  },
});
const [howMany = '100', seed = '1'] = positionals;

interface Chosen extends Mutant {
  readonly path: string;
  readonly rank: string;
}

/**
 * As many of each kind. The rank comes from the seed and the statement alone, not from where it is: of another commit's
 * files those that are the same give the same choice.
 */
function chosenMutants(tree: ScratchTree, tests: Readonly<Record<string, readonly string[]>>): Chosen[] {
  const all = FOLDERS.filter((folder) => folder in tests).flatMap((folder) =>
    tree
      .files(`${folder}/**/*.ts`)
      .filter((path) => !NO_RULES.test(path))
      .flatMap((path) => {
        const code = tree.read(path);
        return mutantsOf(code).map((mutant) => ({ ...mutant, path, rank: rankOf(mutant, code) }));
      }),
  );
  const ranked = all.sort((a, b) => a.rank.localeCompare(b.rank));
  const each = Math.ceil(Number(howMany) / kinds.length);
  const chosen = kinds.flatMap((kind) => ranked.filter((mutant) => mutant.kind === kind).slice(0, each));
  console.log(
    `${all.length} places, ${kinds.map((kind) => `${all.filter((one) => one.kind === kind).length} ${kind}`).join(', ')}`,
  );
  // Mixed, so that a run that is ended early has tried some of each.
  return chosen.sort((a, b) => a.rank.localeCompare(b.rank)).slice(0, Number(howMany));
}

function rankOf({ kind, start, end, replacement, around }: Mutant, code: string): string {
  const parts = [seed, kind, code.slice(start, end), replacement, around];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

const tree = scratchTree(values.commit);
process.on('exit', tree.remove);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const table = JSON.parse(
  readFileSync(values.tests ?? join(tree.folder, 'test/quick.json'), 'utf8'),
) as Record<string, readonly string[]>;
const chosen = chosenMutants(tree, table);

const sound = new Map<string, boolean>();
/** What fails without any change catches nothing. */
async function isSound(folder: string): Promise<boolean> {
  const known = sound.get(folder);
  if (known !== undefined) return known;
  const { passed, output } = await vitest(folder);
  if (!passed)
    console.log(
      `${folder}: its tests fail without a change; its rules are left out\n${output.slice(-2_000)}`,
    );
  sound.set(folder, passed);
  return passed;
}

const vitest = (folder: string) =>
  tree.run('vitest', ['run', '--bail=1', ...(table[folder] ?? [])], LIMIT_MS);

/** A test that fails once may have failed for want of time: only the change itself makes the same file fail again. */
async function failsAgain(output: string): Promise<boolean> {
  const file = /FAIL\s+(\S+\.test\.ts)/.exec(output)?.[1];
  return file === undefined || !(await tree.run('vitest', ['run', '--bail=1', file], LIMIT_MS)).passed;
}

const counts = { caught: 0, byTypes: 0, survived: 0, leftOut: 0 };
for (const [index, mutant] of chosen.entries()) {
  const { path, start, end, replacement, kind } = mutant;
  const code = tree.read(path);
  const folder = path.split('/')[0] ?? '';
  const line = code.slice(0, start).split('\n').length;
  const place = `${path}:${line} ${kind}: ${oneLine(code.slice(start, end))} -> ${oneLine(replacement) || 'nothing'}`;
  if (!(await isSound(folder))) {
    counts.leftOut += 1;
    continue;
  }
  const changed = `${code.slice(0, start)}${replacement}${code.slice(end)}`;
  const outcome = await tree.withFile(path, changed, async () => {
    let { passed, timedOut, output } = await vitest(folder);
    if (!passed && !timedOut && !(await failsAgain(output)))
      ({ passed, timedOut, output } = await vitest(folder));
    if (!passed) return { as: 'caught' as const, by: timedOut ? 'no end' : firstFailure(output) };
    const types = await tree.run('tsc', [], LIMIT_MS);
    return types.passed ? { as: 'survived' as const } : { as: 'byTypes' as const };
  });
  counts[outcome.as] += 1;
  console.log(`${index + 1} ${outcome.as.padEnd(8)} ${place}${outcome.by ? `  [${outcome.by}]` : ''}`);
}
console.log(
  `seed ${seed} of ${values.commit}: ${counts.caught} caught by a test, ${counts.byTypes} by the compiler, ` +
    `${counts.survived} survived, ${counts.leftOut} left out`,
);

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}

function firstFailure(output: string): string {
  return oneLine(/FAIL\s+(.+)/.exec(output)?.[1] ?? 'it does not start');
}
