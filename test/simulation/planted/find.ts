// npm run simulate:planted [name…]: plants each defect, one after the other, and says how long the simulation takes to find it.
import { join } from 'node:path';
import { startNode } from '../../../local/child-process.ts';
import { plantedDefects } from './defects.ts';

/** Longer than this is "not found". */
const MINUTES = 1;

const program = join(import.meta.dirname, '../simulate.ts');
const named = process.argv.slice(2);
const unknown = named.filter((name) => !plantedDefects.some((defect) => defect.name === name));
if (unknown.length > 0) {
  const known = plantedDefects.map(({ name }) => name).join(', ');
  process.stderr.write(`${unknown.join(', ')}: no such defect; expected some of ${known}\n`);
  process.exit(2);
}

let missed = 0;
process.stdout.write('| defect | found after | by the invariant | seed |\n|---|---|---|---|\n');
for (const { name, what } of plantedDefects.filter(
  (each) => named.length === 0 || named.includes(each.name),
)) {
  await using child = startNode([program, '--planted', name, '--minutes', String(MINUTES), '--brief'], {
    keptLength: 20_000,
  });
  await child.ended;
  const found = /^FOUND after ([\d.]+ s) seed (\d+): (.*)$/m.exec(child.out());
  // What fails without the defect too is not found by it.
  const isItsOwn = found !== null && (await passesWithout(String(found[2])));
  if (!isItsOwn) missed += 1;
  const [, after = (await child.exitCode) === 0 ? 'not found' : 'failed', seed = '', invariant = ''] =
    found ?? [];
  const words = found && !isItsOwn ? 'fails without it too' : after;
  process.stdout.write(`| ${name}: ${what} | ${words} | ${invariant} | ${seed} |\n`);
}

async function passesWithout(seed: string): Promise<boolean> {
  await using child = startNode([program, '--seed', seed]);
  return (await child.exitCode) === 0;
}

process.stdout.write(`\n${missed} not found within ${MINUTES * 60} s\n`);
process.exitCode = missed > 0 ? 1 : 0;
