// Notifications through the connectors of the examples, by real HTTP, and as mail through a real SMTP server.
import { readFileSync } from 'node:fs';
import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it, onTestFinished } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { channelNames, notificationChannel } from '../../../activities/connectors/notification-channel.ts';
import type { Notification } from '../../../contract/flows/notifications.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { json, startTestServer, text } from '../../shared/locker-api/test-server.ts';
import { headerOf, startMailServer, textOf } from '../../support/mail-server.ts';

const notification: Notification = {
  id: '5f0c2a34-0000-4000-8000-000000000001',
  reason: 'new',
  title: 'Work, new: Station is offline “since 11:18”',
  text: 'New, urgent:\n- Station is offline\n  https://console.example/walls/pup-1',
  link: 'https://console.example/',
  entries: [],
};

const examples = readFileSync(
  new URL('../../../docs/examples/connectors/connectors.yaml', import.meta.url),
  'utf8',
);

/** Sends it through this connector of a file. @param secrets the content of secret files, one for all if it is a text */
async function send(file: string, name: string, secrets: string | ((path: string) => string) = 'secret') {
  const settings = readConnectors(file, (path) => (typeof secrets === 'string' ? secrets : secrets(path)));
  const connectors = new Connectors(settings);
  onTestFinished(() => connectors.close());
  const channel = notificationChannel(settings, connectors, name);
  return await new MockActivityEnvironment().run(() => channel(notification));
}

/** The example's connectors, with the address of this server for all of them. */
const sendByExample = (name: string, url: string) =>
  send(examples.replace('https://api.postmarkapp.com', url), name, (path) =>
    path.endsWith('-webhook') ? `${url}/hooks/T1` : 'secret',
  );

it('every channel of the examples takes notifications', () => {
  const settings = readConnectors(examples, (path) =>
    path.endsWith('-webhook') ? 'https://chat.example/hooks/T1' : 'secret',
  );
  expect(channelNames(settings)).toEqual(['slack', 'teams', 'mail', 'desk']);
});

it('Slack gets the text, by a key of the message', async () => {
  await using server = await startTestServer(text(200, 'text/plain', 'ok'));
  expect(await sendByExample('slack', server.url)).toBe('HTTP 200: ok');
  await sendByExample('slack', server.url);
  const [first, second] = server.requests;
  expect(first).toMatchObject({ method: 'POST', path: '/hooks/T1' });
  expect(JSON.parse(first?.body ?? '')).toEqual({ text: notification.text });
  expect(first?.headers['idempotency-key']).toMatch(/^[\da-f]{64}$/);
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
});

it('Teams gets a card, and Postmark a mail', async () => {
  await using server = await startTestServer(json(202, {}));
  await sendByExample('teams', server.url);
  await sendByExample('mail', server.url);
  const [card, mail] = server.requests.map(({ body }) => JSON.parse(Buffer.from(body, 'latin1').toString()));
  const { contentType, content } = card.attachments[0];
  expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
  expect(content.body.map((block: { text: string }) => block.text)).toEqual([
    notification.title,
    notification.text,
  ]);
  expect(mail).toMatchObject({ Subject: notification.title, TextBody: notification.text });
  expect(server.requests[1]).toMatchObject({
    path: '/email',
    headers: { 'x-postmark-server-token': 'secret' },
  });
});

it('a webhook without a body of its own gets the notification as it is', async () => {
  await using server = await startTestServer(json(204, ''));
  await send(`connectors: { hook: { address: "${server.url}/in", notify: {} } }`, 'hook');
  expect(JSON.parse(Buffer.from(server.requests[0]?.body ?? '', 'latin1').toString())).toEqual(notification);
});

it.each([404, 429, 503])('a webhook that answers %i is tried again', async (status) => {
  await using server = await startTestServer(text(status, 'text/plain', 'secret-7 is unknown'));
  const file = `connectors: { hook: { address: "${server.url}", notify: {}, credentials: { bearerFile: t } } }`;
  const failure = await send(file, 'hook', 'secret-7').catch((error: ApplicationFailure) => error);
  expect(failure).toMatchObject({ nonRetryable: false, message: expect.stringContaining(`HTTP ${status}`) });
  expect(JSON.stringify(failure)).not.toContain('secret-7');
});

it('a body with a wrong expression is refused before anything is sent', async () => {
  const body = { text: ['$', '{notification.'].join('') };
  const file = JSON.stringify({ connectors: { hook: { address: 'https://a.example', notify: { body } } } });
  await expect(send(file, 'hook')).rejects.toThrow(/not closed/);
  await expect(send(file, 'other')).rejects.toThrow('other takes no notifications');
});

const mailbox = (port: number, more = '') =>
  `mail: { desk: { address: "smtp://127.0.0.1:${port}", from: lockers@acme.example, to: [desk@acme.example, bo@acme.example]${more} } }`;

it('a mail arrives with its subject, its text and its links', async () => {
  await using server = await startMailServer();
  expect(await send(mailbox(server.port), 'desk')).toMatch(/^250 /);
  await send(mailbox(server.port), 'desk');
  const [mail, again] = server.mails;
  if (!mail || !again) throw new Error('no mail came');
  expect(mail).toMatchObject({
    from: 'lockers@acme.example',
    to: ['desk@acme.example', 'bo@acme.example'],
  });
  const subject = headerOf(mail, 'subject') ?? '';
  const decoded = subject.replaceAll(/=\?UTF-8\?Q\?(.*?)\?= ?/g, (_, words: string) =>
    Buffer.from(
      words
        .replaceAll('_', ' ')
        .replaceAll(/=([\dA-F]{2})/g, (__, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString(),
  );
  expect(decoded).toBe(notification.title);
  expect(textOf(mail).replaceAll('\r\n', '\n').trim()).toBe(notification.text);
  expect(headerOf(mail, 'message-id')).toBe(`<${notification.id}@lockerflow>`);
  expect(headerOf(again, 'message-id')).toBe(headerOf(mail, 'message-id'));
  expect(headerOf(mail, 'auto-submitted')).toBe('auto-generated');
});

it('a mailbox logs in, and a refused password is in no error', async () => {
  const asked: unknown[] = [];
  await using server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _, answer) {
      asked.push([username, password]);
      if (password === 'pass-word-1') answer(null, { user: 'me' });
      else answer(new Error(`not ${password}`));
    },
  });
  const file = mailbox(server.port, ', user: me, passwordFile: password');
  expect(await send(file, 'desk', 'pass-word-1')).toMatch(/^250 /);
  const failure = await send(file, 'desk', 'pass-word-2').catch((error: ApplicationFailure) => error);
  expect(asked).toEqual([
    ['me', 'pass-word-1'],
    ['me', 'pass-word-2'],
  ]);
  expect(failure).toMatchObject({ type: 'MailNotSent', nonRetryable: false });
  expect(String((failure as ApplicationFailure).message)).not.toContain('pass-word-2');
});

it('a mail server that is away, or refuses the mail, is tried again', async () => {
  await using server = await startMailServer({
    onMailFrom: (_, __, answer) => answer(Object.assign(new Error('busy'), { responseCode: 451 })),
  });
  await expect(send(mailbox(server.port), 'desk')).rejects.toMatchObject({
    type: 'MailNotSent',
    message: expect.stringContaining('busy'),
  });
  await expect(send(mailbox(9), 'desk')).rejects.toMatchObject({ type: 'MailNotSent', nonRetryable: false });
});
