// Each command of the program has its example in its help, from which docs/command-line.md is made.
import { expect, test } from 'vitest';
import { commandLinePage } from '../../../docs/command-line.ts';

test('every verb has an example in its help', async () => {
  const sections = (await commandLinePage()).split(/^## lockerflow /m).slice(1);
  const verbs = sections.filter((section) => !/^(?:clock|parked|sandbox|schedules) \w/.test(section));
  for (const section of verbs) expect(section).toContain(`Examples:\n  `);
});
