// The wall protocol: its page names each message with each of its fields, and its messages have moments that a clock tells.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serviceMessages, wallMessage, wallMessages } from '../../../contract/wall/wall-messages.ts';

const fileOfDocs = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

test.each(['0000-01-01T00:00:00.000Z', '1999-12-31T23:59:59.999Z', '2100-01-01T00:00:00.000Z'])(
  'no message of a wall has the moment %s, which no clock that was set tells',
  (moment) => {
    const closed = { type: 'doorClosed', id: 1, lockerUid: 'l-1' };
    const hello = { type: 'hello', journal: 'j', doors: [], commands: [] };
    const isTaken = (message: object) => wallMessage.safeParse(message).success;
    const now = new Date().toISOString();
    expect([isTaken({ ...hello, now }), isTaken({ ...closed, at: now })]).toEqual([true, true]);
    expect([isTaken({ ...hello, now: moment }), isTaken({ ...closed, at: moment })]).toEqual([false, false]);
  },
);

const page = fileOfDocs('walls.md');
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
