// docs/flows.md is what the declarations say today, and every flow has its section.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
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
