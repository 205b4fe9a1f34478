// The simulation, with few seeds, in programs of their own, whose time is simulated: `npm run simulate` tries more seeds. And
// that it finds what it must, and that a seed is a test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startNode } from '../../local/child-process.ts';
import { plantedDefects } from './planted/defects.ts';
import { changed } from './planted/plant.ts';
import { storedSeeds } from './stored-seeds.ts';

const root = join(import.meta.dirname, '../..');
const program = join(import.meta.dirname, 'simulate.ts');

async function simulate(...args: readonly string[]): Promise<{ code: number; out: string }> {
  await using child = startNode([program, ...args], { keptLength: 1_000_000 });
  await child.ended;
  return { code: await child.exitCode, out: child.said() };
}

const SEEDS = 6;

test('none of a few seeds breaks an invariant', async () => {
  const { code, out } = await simulate('--seeds', String(SEEDS));
  expect(code, out).toBe(0);
  expect(out).toContain(`${SEEDS} seeds in`);
  expect(out).toMatch(/ReadyForPickup → Completed +[1-9]/);
  expect(out).toMatch(/Faults while some shipment was in a state: [1-9]\d* of 60 pairs/);
  for (const fault of ['workerKilled', 'answerLost', 'callbackDoubled'])
    expect(Number(new RegExp(`${fault} +(\\d+)`).exec(out)?.[1]), fault).toBeGreaterThan(0);
});

test('two runs of a seed have the same trace, to the byte', async () => {
  const [one, other] = [
    await simulate('--seed', '3', '--to', '1500', '--trace'),
    await simulate('--seed', '3', '--to', '1500', '--trace'),
  ];
  expect(one.out.split('\n').length).toBeGreaterThan(100);
  expect(other.out).toBe(one.out);
});

test('a run stops after the step that is asked for', async () => {
  const { out } = await simulate('--seed', '3', '--to', '200');
  expect(out).toContain('seed 3: 200 steps');
});

test('a planted defect is found, and named by its invariant', async () => {
  const { code, out } = await simulate('--planted', 'lost-answer-is-refusal', '--seeds', '20', '--brief');
  expect(out).toMatch(/^FOUND after .* nothing is booked twice/);
  expect(code).toBe(1);
});

test('no seed that has failed once fails again', async () => {
  const { code, out } = await simulate('--stored');
  expect(code, out).toBe(0);
  for (const { seed } of storedSeeds) expect(out).toContain(`seed ${seed}: no violation`);
});

test.each(storedSeeds.filter(({ planted }) => planted))(
  'seed $seed still finds what it was stored for',
  async ({ seed, planted = '' }) => {
    const { code, out } = await simulate('--planted', planted, '--seed', seed);
    expect(code, out).toBe(1);
    expect(out).toContain('VIOLATION');
  },
);

test.each(plantedDefects)('the text of $name stands once in $file', (defect) => {
  const source = readFileSync(join(root, defect.file), 'utf8');
  expect(changed(source, defect)).not.toBe(source);
});
