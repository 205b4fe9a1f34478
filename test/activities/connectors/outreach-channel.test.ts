// Messages to people and requests for a mechanic through connectors, by real HTTP, and as mail through a real SMTP server.
import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it, onTestFinished } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import {
  type MechanicRequest,
  type OutgoingMessage,
  outreachChannelNames,
  outreachChannels,
} from '../../../activities/connectors/outreach-channel.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { json, startTestServer, text } from '../../shared/locker-api/test-server.ts';
import { headerOf, startMailServer, textOf } from '../../support/mail-server.ts';

const message: OutgoingMessage = {
  id: 'loan 7/outreach/5f0c',
  title: 'About your locker',
  text: 'The lockers at Central cannot be opened at the moment.',
  by: 'mila',
  key: 'loan 7',
  link: null,
  to: {
    userUid: 'user-anna',
    name: 'Anna Jansen',
    emailAddress: 'anna@acme.example',
    phoneNumber: '+31612345678',
    languageCode: 'nl-NL',
  },
};
const { to: _, ...base } = message;
const request: MechanicRequest = {
  ...base,
  pickUpPoint: { pupUid: 'pup-central', name: 'Central' },
  lockerName: '5',
  problem: 'The door stays shut.',
  why: null,
};

/** Through this connector of a file, for both. */
function channelsOf(file: string, name: string) {
  const settings = readConnectors(file, () => 'secret-7');
  const connectors = new Connectors(settings);
  onTestFinished(() => connectors.close());
  const { message: toPerson, sendMechanic } = outreachChannels(settings, connectors, {
    message: name,
    sendMechanic: settings.mail.some(({ to }) => to.length === 0) ? null : name,
  });
  const within = <Answer>(act: () => Promise<Answer>) => new MockActivityEnvironment().run(act);
  return {
    message: () => within(async () => await toPerson?.(message)),
    sendMechanic: () => within(async () => await sendMechanic?.(request)),
  };
}

const expression = (path: string) => ['$', `{${path}}`].join('');
const hook = (address: string, body: object = {}) =>
  JSON.stringify({
    connectors: {
      hook: {
        address,
        messages: { path: '/m', ...body },
        mechanic: { path: '/j' },
        credentials: { bearerFile: 't' },
      },
    },
  });

it('each is posted once with a key of its own, by the body of the connector or as it is', async () => {
  await using server = await startTestServer(json(202, { id: 7 }));
  const body = { body: { phone: expression('message.to.phoneNumber'), words: expression('message.text') } };
  const channels = channelsOf(hook(server.url, body), 'hook');
  expect(await channels.message()).toBe('HTTP 202');
  expect(await channels.sendMechanic()).toBe('HTTP 202');
  expect(server.requests.map(({ path }) => path)).toEqual(['/m', '/j']);
  const [sent, asked] = server.requests.map((each) => JSON.parse(each.body));
  expect(sent).toEqual({ phone: '+31612345678', words: message.text });
  expect(asked).toEqual(request);
  expect(server.requests[0]?.headers['idempotency-key']).toMatch(/^[\da-f]{64}$/);
});

it.each([
  [422, true],
  [404, true],
  [429, false],
  [503, false],
])('an answer of %i is final: %s, and repeats nobody’s name or number', async (status, isFinal) => {
  const echo = text(status, 'text/plain', 'Anna Jansen, +31612345678, anna@acme.example, secret-7');
  await using server = await startTestServer(echo);
  const failure = await channelsOf(hook(server.url), 'hook')
    .message()
    .catch((error: ApplicationFailure) => error);
  expect(failure).toMatchObject({
    nonRetryable: isFinal,
    message: expect.stringContaining(`HTTP ${status}`),
  });
  const shown = JSON.stringify(failure) + (failure as ApplicationFailure).message;
  for (const secret of ['Jansen', '612345678', 'anna@', 'secret-7']) expect(shown).not.toContain(secret);
});

const mailbox = (port: number, more = '') =>
  `mail: { lockers: { address: "smtp://127.0.0.1:${port}", from: lockers@acme.example${more} } }`;

it('a mail goes to the person’s own address, and a request to those of the mailbox', async () => {
  await using server = await startMailServer();
  const channels = channelsOf(mailbox(server.port, ', to: [garage@acme.example]'), 'lockers');
  await channels.message();
  await channels.message();
  await channels.sendMechanic();
  const [mail, again, job] = server.mails;
  if (!mail || !again || !job) throw new Error('a mail is missing');
  expect([mail.to, job.to]).toEqual([['anna@acme.example'], ['garage@acme.example']]);
  expect(textOf(mail).trim()).toBe(message.text);
  expect(headerOf(mail, 'message-id')).toMatch(/^<[\da-f]{32}@lockerflow>$/);
  expect(headerOf(again, 'message-id')).toBe(headerOf(mail, 'message-id'));
});

it.each([
  [550, true],
  [451, false],
])('a mail that the server refuses with %i is final: %s', async (responseCode, isFinal) => {
  await using server = await startMailServer({
    onRcptTo: (_address, _session, answer) =>
      answer(Object.assign(new Error('no such user'), { responseCode })),
  });
  await expect(channelsOf(mailbox(server.port), 'lockers').message()).rejects.toMatchObject({
    type: 'MailNotSent',
    nonRetryable: isFinal,
  });
});

it('only what takes it is a channel, and a wrong body is refused before anything is sent', () => {
  const settings = readConnectors(
    `connectors: { sms: { address: "https://a.example", messages: {} }, jobs: { address: "https://b.example", mechanic: {} } }
${mailbox(25)}`,
    () => '',
  );
  expect(outreachChannelNames(settings, 'messages')).toEqual(['sms', 'lockers']);
  expect(outreachChannelNames(settings, 'mechanic')).toEqual(['jobs']);
  expect(() =>
    channelsOf(hook('https://a.example', { body: { a: ['$', '{message.'].join('') } }), 'hook'),
  ).toThrow(/not closed/);
});
