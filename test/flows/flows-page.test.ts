// docs/flows.md is what the declarations say today, and every flow has its section.
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { chartFiles } from '../../docs/flow-charts.ts';
import { flowsPage } from '../../docs/flows.ts';
import { declarations } from '../../flows/flows.ts';
import * as workflows from '../../workflows/index.ts';

test('the page of the flows is current (npm run docs writes it)', async () => {
  const page = await readFile(new URL('../../docs/flows.md', import.meta.url), 'utf8');
  expect(page).toBe(flowsPage());
});

test('every workflow that is declared by legs is on the page under its own name', () => {
  const names = declarations.map(({ name }) => name);
  const declared = Object.entries(workflows).filter(([, workflow]) => 'definitions' in workflow);
  expect([...names, 'OnboardAccount'].sort()).toEqual(declared.map(([name]) => name).sort());
});

test('the charts of the flows are current (npm run docs writes them)', async () => {
  const folder = new URL('../../docs/charts/', import.meta.url);
  const files = await chartFiles();
  const kept = (await readdir(folder, { recursive: true })).filter((path) => path.includes('.'));
  expect(kept.sort()).toEqual([...files.keys()].sort());
  for (const [path, text] of files) expect(await readFile(new URL(path, folder), 'utf8'), path).toBe(text);
});
