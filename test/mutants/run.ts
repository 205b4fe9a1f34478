// `npm run mutants [how many] [seed]`: changes rules at random, one at a time, in a copy of the last commit, runs the tests
// nearest to each and those that `npm run test:quick` names for its folder, and tells which changes no test and no type
// has caught.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chosenInBoth, chosenOf } from './choice.ts';
import { Judge } from './judge.ts';
import { kinds, type Mutant } from './places.ts';
import { scratchTree } from './scratch-tree.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commit: { type: 'string', default: 'HEAD' },
    /** Tries what is chosen in this other commit, as far as the same rule stands in `commit`: to compare the two. */
    'chosen-in': { type: 'string' },
    /** Of the form of test/quick.json: for a commit that has none, or for more tests. */
    tests: { type: 'string' },
    /** Only these kinds. */
    kind: { type: 'string', multiple: true, default: [...kinds] },
    /** The first to try and the last: goes on with a run that was ended, or shares it out among several. */
    from: { type: 'string', default: '1' },
    to: { type: 'string', default: 'Infinity' },
    /** Only names the changes. */
    list: { type: 'boolean', default: false },
  },
});
const [howMany = '100', seed = '1'] = positionals;

const choice = { howMany: Number(howMany), seed, kinds: values.kind };
const tree = scratchTree(values.commit);
process.on('exit', tree.remove);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const table = JSON.parse(
  readFileSync(values.tests ?? join(tree.folder, 'test/quick.json'), 'utf8'),
) as Record<string, readonly string[]>;
const judge = new Judge(tree, (folder) => table[folder] ?? []);

const chosen = values['chosen-in'] ? chosenElsewhere(values['chosen-in']) : chosenOf(tree, choice);
const counts = { caught: 0, byTypes: 0, survived: 0 };
const survivors: string[] = [];
for (const mutant of chosen) {
  const { number, path, start, end, replacement, kind } = mutant;
  if (number < Number(values.from) || number > Number(values.to)) continue;
  const code = tree.read(path);
  const line = code.slice(0, start).split('\n').length;
  const place = `${path}:${line} ${kind}: ${oneLine(code.slice(start, end))} -> ${oneLine(replacement) || 'nothing'}`;
  if (values.list) {
    console.log(`${number} ${place}`);
    continue;
  }
  const changed = `${code.slice(0, start)}${replacement}${code.slice(end)}`;
  const { as, by } = await judge.judge(path, changed);
  counts[as] += 1;
  console.log(`${number} ${as.padEnd(8)} ${place}${by ? `  [${oneLine(by)}]` : ''}`);
  if (as === 'survived') survivors.push(`${path}:${line}\n${changedLines(code, mutant)}`);
}
if (!values.list)
  console.log(
    [
      `seed ${seed} of ${values.commit}: ${counts.caught} caught by a test, ${counts.byTypes} by the compiler, ${counts.survived} survived`,
      ...survivors,
    ].join('\n\n'),
  );

function chosenElsewhere(commit: string) {
  const other = scratchTree(commit);
  try {
    return chosenInBoth(tree, other, choice);
  } finally {
    other.remove();
  }
}

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
