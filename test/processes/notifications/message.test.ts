// The message of a round: grouped, with links, names and moments, and without what only some may see.
import { expect, test } from 'vitest';
import type { InboxEntry } from '../../../processes/inbox/inbox-entry.ts';
import { messageOf } from '../../../processes/notifications/message.ts';
import { door, inboxEntry } from '../inbox/inbox-entries.ts';

const context = {
  id: 'id-1',
  now: Date.parse('2026-11-28T12:00:00Z'),
  consoleUrl: 'https://console.example',
  timeZone: 'Europe/Amsterdam',
  pickUpPoints: new Map([['pup-1', 'Station']]),
  unread: [],
};

const message = (round: Partial<Parameters<typeof messageOf>[0]>, more: Partial<typeof context> = {}) =>
  messageOf(
    {
      state: { entries: {}, highest: null },
      added: [],
      stillOpen: [],
      others: 0,
      isAllClear: false,
      ...round,
    },
    { ...context, ...more },
  );

const late = (key: string): InboxEntry =>
  inboxEntry(`late:${key}`, {
    kind: 'late',
    key,
    title: 'Pick up: late',
    due: '2026-11-28T10:00:00Z',
    cause: { id: 'late', title: (count) => `${count} are late: pick up` },
  });

test('a message has what is new by its group, what is still open, and the way to each', () => {
  const offline = door('door:pup-1:offline', {
    title: 'pup-1 is offline: 12 items cannot be reached',
    since: '2026-11-28T10:18:00Z',
  });
  const about = { userUid: 'user-anna', name: 'Anna', email: null, item: 'Laptop' };
  const added = [
    offline,
    ...['a', 'b', 'c'].map(late),
    inboxEntry('q', { key: 'loan/7', title: 'Is it whole?', about: about as never }),
  ];
  const sent = message({ added, stillOpen: [door('d', { title: 'A door stays shut' })], others: 2 });
  expect(sent).toMatchObject({
    id: 'id-1',
    reason: 'new',
    title: 'Work, new: Station is offline: 12 items cannot be reached (and 3 more)',
    link: 'https://console.example/inbox',
    entries: [
      { group: 'urgent', since: '2026-11-28T10:18:00.000Z', link: 'https://console.example/walls/pup-1' },
      { group: 'today', title: '3 are late: pick up', link: 'https://console.example/inbox' },
      { group: 'later', link: 'https://console.example/process/loan%2F7' },
      { group: 'urgent', title: 'A door stays shut' },
    ],
  });
  expect(sent?.text).toBe(`New, urgent:
- Station is offline: 12 items cannot be reached, since Sat 28 Nov, 11:18 CET
  https://console.example/walls/pup-1

New, today:
- 3 are late: pick up, due Sat 28 Nov, 11:00 CET
  https://console.example/inbox

New, later:
- Is it whole?
  https://console.example/process/loan%2F7

Still open, urgent:
- A door stays shut
  https://console.example/walls/pup-1

2 more are open.

All of Work: https://console.example/inbox`);
  expect(JSON.stringify(sent)).not.toMatch(/Anna|pup-1 is|\$\{/);
});

test('a chat takes nothing of a title for a mention, a link or a new line', () => {
  const title = 'Is <!channel> [here](https://evil.example)\n\u202ewhole?';
  const { title: subject, text } = message({ added: [inboxEntry('q', { title })] }) ?? {};
  expect(subject).toBe('Work, new: Is ‹!channel› [here] (https://evil.example) whole?');
  expect(text).not.toContain('<!channel>');
});

test('what could not be read is in the message', () => {
  const unread = [{ kind: 'door', what: 'doors that stayed shut', why: 'away' }];
  const sent = message({ added: [inboxEntry('q')] }, { unread: unread as never });
  expect(sent?.text).toContain('Could not be read: doors that stayed shut.');
});

test('a long list is cut, and says by how much', () => {
  const added = Array.from({ length: 30 }, (_, index) => inboxEntry(`q${index}`));
  expect(message({ added })?.text).toMatch(/q19\n.*\n\nand 10 more\n\nAll of Work/);
});

test('without the address of the console there are no links', () => {
  const sent = message({ added: [inboxEntry('q')] }, { consoleUrl: null as never });
  expect(sent).toMatchObject({ link: null, entries: [{ link: null }], text: 'New, later:\n- q' });
});

test('the all-clear says what is still open', () => {
  expect(message({ isAllClear: true })).toMatchObject({ reason: 'allClear', title: 'Work: all clear' });
  expect(message({ isAllClear: true, others: 1 })?.text).toContain('1 less urgent entry is open.');
  expect(message({})).toBeNull();
});
