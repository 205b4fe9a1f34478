// docs/command-line.md is what the program's own help says (npm run check), and each command has its example there.
import { expect, test } from 'vitest';
import { commandLinePage } from '../../../docs/command-line.ts';
import { isLongSuite } from '../../support/suite.ts';

test.runIf(isLongSuite)('every verb has an example in its help', async () => {
  const sections = (await commandLinePage()).split(/^## lockerflow /m).slice(1);
  const verbs = sections.filter((section) => !/^(?:clock|parked|sandbox|schedules) \w/.test(section));
  for (const section of verbs) expect(section).toContain(`Examples:\n  `);
});
