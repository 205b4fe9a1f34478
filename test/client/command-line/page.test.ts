// docs/command-line.md is what the program's own help says, and each command has its example there.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { commandLinePage } from '../../../docs/command-line.ts';

test('docs/command-line.md is current: npm run docs', async () => {
  const page = await readFile(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
  expect(page).toBe(await commandLinePage());
});

test('every verb has an example in its help', async () => {
  const sections = (await commandLinePage()).split(/^## lockerflow /m).slice(1);
  const verbs = sections.filter((section) => !/^(?:clock|parked|sandbox|schedules) \w/.test(section));
  for (const section of verbs) expect(section).toContain(`Examples:\n  `);
});
