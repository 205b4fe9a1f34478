// `npm run mutants [how many] [seed]`: changes rules at random, one at a time, in a copy of the last commit, runs the tests
// nearest to each and those that `npm run test:quick` names for its folder, and tells which changes no test and no type
// has caught.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Judge } from './judge.ts';
import { kinds, type Mutant, mutantsOf } from './places.ts';
import { type ScratchTree, scratchTree } from './scratch-tree.ts';
import { sqlMutantsOf } from './sql-places.ts';

/** Where the rules are. */
const FOLDERS = 'machines contract flows flow-files driver workflows service activities routing'.split(' ');
/** Data that only looks like rules. */
const NO_RULES = /examples\.ts$|demo-data\.ts$|\.d\.ts$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commit: { type: 'string', default: 'HEAD' },
    /** Of the form of test/quick.json: for a commit that has none, or for more tests. */
    tests: { type: 'string' },
    /** Only these kinds. */
    kind: { type: 'string', multiple: true, default: [...kinds] },
    /** The first to try: goes on with a run that was ended. */
    from: { type: 'string', default: '1' },
    /** Only names the changes. */
    list: { type: 'boolean', default: false },
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
function chosenMutants(tree: ScratchTree): Chosen[] {
  const ranked = allMutants(tree).sort((a, b) => a.rank.localeCompare(b.rank));
  const wanted = kinds.filter((kind) => values.kind.includes(kind));
  const each = Math.ceil(Number(howMany) / wanted.length);
  const count = (kind: string) => ranked.filter((mutant) => mutant.kind === kind).length;
  console.log(`${ranked.length} places, ${kinds.map((kind) => `${count(kind)} ${kind}`).join(', ')}`);
  const chosen = wanted.flatMap((kind) => ranked.filter((mutant) => mutant.kind === kind).slice(0, each));
  // Mixed, so that a run that is ended early has tried some of each.
  return chosen.sort((a, b) => a.rank.localeCompare(b.rank)).slice(0, Number(howMany));
}

function allMutants(tree: ScratchTree): Chosen[] {
  const ranked = (path: string, code: string, mutants: readonly Mutant[]) =>
    mutants.map((mutant) => ({ ...mutant, path, rank: rankOf(mutant, code) }));
  const sources = FOLDERS.flatMap((folder) => tree.files(`${folder}/**/*.ts`));
  const functions = tree.files('service/storage/functions/*.sql');
  // Before they had files of their own, functions were in the migrations.
  const sql = functions.length > 0 ? functions : tree.files('service/storage/migrations/*.sql');
  const codes = new Map([...sources, ...sql].map((path) => [path, tree.read(path)] as const));
  const inSql = sqlMutantsOf([...codes].filter(([path]) => path.endsWith('.sql')));
  return [...codes].flatMap(([path, code]) => {
    if (NO_RULES.test(path)) return [];
    return ranked(path, code, path.endsWith('.sql') ? (inSql.get(path) ?? []) : mutantsOf(code));
  });
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
const judge = new Judge(tree, (folder) => table[folder] ?? []);

const counts = { caught: 0, byTypes: 0, survived: 0 };
const survivors: string[] = [];
for (const [index, mutant] of chosenMutants(tree).entries()) {
  if (index + 1 < Number(values.from)) continue;
  const { path, start, end, replacement, kind } = mutant;
  const code = tree.read(path);
  const line = code.slice(0, start).split('\n').length;
  const place = `${path}:${line} ${kind}: ${oneLine(code.slice(start, end))} -> ${oneLine(replacement) || 'nothing'}`;
  if (values.list) {
    console.log(`${index + 1} ${place}`);
    continue;
  }
  const changed = `${code.slice(0, start)}${replacement}${code.slice(end)}`;
  const { as, by } = await judge.judge(path, changed);
  counts[as] += 1;
  console.log(`${index + 1} ${as.padEnd(8)} ${place}${by ? `  [${oneLine(by)}]` : ''}`);
  if (as === 'survived') survivors.push(`${path}:${line}\n${changedLines(code, mutant)}`);
}
if (!values.list)
  console.log(
    [
      `seed ${seed} of ${values.commit}: ${counts.caught} caught by a test, ${counts.byTypes} by the compiler, ${counts.survived} survived`,
      ...survivors,
    ].join('\n\n'),
  );

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}

/** As in a diff: the lines that the change touches, before and after. */
function changedLines(code: string, { start, end, replacement }: Mutant): string {
  const from = code.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = code.indexOf('\n', end);
  const to = lineEnd < 0 ? code.length : lineEnd;
  const marked = (text: string, mark: string) => text.replaceAll(/^/gm, mark);
  const after = code.slice(from, start) + replacement + code.slice(end, to);
  return `${marked(code.slice(from, to), '- ')}\n${marked(after, '+ ')}`;
}
