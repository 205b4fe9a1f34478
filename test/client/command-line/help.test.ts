import { expect, test } from 'vitest';
import { commandLine } from '../../../client/command-line/command-line.ts';
import { helpOf, nowhere } from '../../../docs/command-line.ts';

test('every verb has an example in its help', async () => {
  const { commands } = await commandLine(nowhere);
  for (const verb of commands) expect(helpOf(verb)).toContain('Examples:\n  ');
});
