// Which rules a run changes: chosen at random by a seed, or the same ones that it would choose of another commit.
import { createHash } from 'node:crypto';
import { kinds, type Mutant, mutantsOf } from './places.ts';
import type { ScratchTree } from './scratch-tree.ts';
import { sqlMutantsOf } from './sql-places.ts';

/** Where the rules are. */
const FOLDERS = 'machines contract flows flow-files driver workflows service activities routing'.split(' ');
/** Data that only looks like rules. */
const NO_RULES = /examples\.ts$|demo-data\.ts$|\.d\.ts$/;

interface Ranked extends Mutant {
  readonly path: string;
  /** The change alone, without the statement that it is in. */
  readonly rule: string;
  readonly rank: string;
}

export interface Chosen extends Ranked {
  readonly number: number;
}

export interface Choice {
  readonly howMany: number;
  readonly seed: string;
  readonly kinds: readonly string[];
}

/**
 * As many of each kind. The rank comes from the seed and the statement alone, not from where it is: of another commit's
 * files those that are the same give the same choice.
 */
export const chosenOf = (tree: ScratchTree, choice: Choice): Chosen[] =>
  chosenAmong(allMutants(tree, choice.seed), choice);

/**
 * What is chosen in another commit, as far as the same rule stands in this one. Where the statement around it has changed,
 * the rule itself must be the only one of its kind in both.
 */
export function chosenInBoth(tree: ScratchTree, other: ScratchTree, choice: Choice): Chosen[] {
  const [here, there] = [tree, other].map((each) => allMutants(each, choice.seed)) as [Ranked[], Ranked[]];
  const byRank = new Map(here.map((mutant) => [mutant.rank, mutant]));
  const same = ({ rank, rule }: Ranked) => byRank.get(rank) ?? (only(there, rule) && only(here, rule));
  return chosenAmong(there, choice).flatMap((mutant) => {
    const found = same(mutant);
    return found ? [{ ...found, number: mutant.number }] : [];
  });
}

function only(mutants: readonly Ranked[], rule: string): Ranked | undefined {
  const [one, ...more] = mutants.filter((mutant) => mutant.rule === rule);
  return more.length === 0 ? one : undefined;
}

function chosenAmong(mutants: readonly Ranked[], { howMany, ...choice }: Choice): Chosen[] {
  const ranked = mutants.toSorted((a, b) => a.rank.localeCompare(b.rank));
  const wanted = kinds.filter((kind) => choice.kinds.includes(kind));
  const each = Math.ceil(howMany / wanted.length);
  const count = (kind: string) => ranked.filter((mutant) => mutant.kind === kind).length;
  console.log(`${ranked.length} places, ${kinds.map((kind) => `${count(kind)} ${kind}`).join(', ')}`);
  const chosen = wanted.flatMap((kind) => ranked.filter((mutant) => mutant.kind === kind).slice(0, each));
  // Mixed, so that a run that is ended early has tried some of each.
  return chosen
    .sort((a, b) => a.rank.localeCompare(b.rank))
    .slice(0, howMany)
    .map((mutant, index) => ({ ...mutant, number: index + 1 }));
}

function allMutants(tree: ScratchTree, seed: string): Ranked[] {
  const ranked = (path: string, code: string, mutants: readonly Mutant[]) =>
    mutants.map((mutant) => ({ ...mutant, path, ...identityOf(mutant, code, seed) }));
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

function identityOf({ kind, start, end, replacement, around }: Mutant, code: string, seed: string) {
  const change = [kind, code.slice(start, end), replacement];
  const rank = createHash('sha256')
    .update(JSON.stringify([seed, ...change, around]))
    .digest('hex');
  return { rule: JSON.stringify(change), rank };
}
