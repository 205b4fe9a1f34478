// The wall protocol: its page names each message with each of its fields.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serviceMessages, wallMessages } from '../../../contract/wall/wall-messages.ts';

const page = readFileSync(new URL('../../../docs/walls.md', import.meta.url), 'utf8');
const section = (heading: string) => page.split(/^#+ /m).find((text) => text.startsWith(heading)) ?? '';

test.each([
  ['From the wall', wallMessages],
  ['From the service', serviceMessages],
] as const)('%s: docs/walls.md has each message with all of its fields', (heading, messages) => {
  const rows = section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  for (const message of messages) {
    const type = [...message.shape.type.values].join();
    const row = rows.find((line) => line.startsWith(`| \`${type}\` |`)) ?? '';
    const fields = Object.keys(message.shape).filter((name) => name !== 'type');
    const isInJournal = fields.includes('id') && fields.includes('at');
    for (const field of fields.filter((name) => !isInJournal || (name !== 'id' && name !== 'at')))
      expect(row, `${type}: ${field}`).toContain(`\`${field}\``);
  }
  expect(rows).toHaveLength(messages.length);
});
