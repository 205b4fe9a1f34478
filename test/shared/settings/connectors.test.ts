// The connectors of a worker: what their file comes to, and that everything wrong in it is named at once, without a secret.
import { expect, it } from 'vitest';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { SettingsFileWrong } from '../../../shared/settings/settings-file.ts';

const signingKey = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const files: Readonly<Record<string, string>> = {
  password: 'pass-word-1\n',
  token: 'token-secret-1',
  address: 'https://chat.example/hooks/T1/secret-part\n',
  keys: `${signingKey}\n`,
  empty: '\n',
  lines: 'one-secret\ntwo-secret',
  shortKey: 'whsec_c2hvcnQ=',
  ftp: 'ftp://secret-host.example/',
};
const read = (path: string): string => {
  const text = files[path];
  if (text === undefined) throw new Error(`ENOENT: ${path}`);
  return text;
};

function linesOf(text: string): readonly string[] {
  try {
    readConnectors(text, read);
  } catch (error) {
    if (error instanceof SettingsFileWrong) return error.lines;
    throw error;
  }
  return [];
}

it('a connector has its address, its calls, and the credentials as headers', () => {
  const { connectors, events } = readConnectors(
    `
events: hub
connectors:
  servicenow:
    address: https://acme.service-now.example/api/now
    allow: ["GET,POST /table/incident", "PATCH /table/incident/*"]
    credentials: { basic: { user: lockerflow, passwordFile: password } }
    timeoutSeconds: 10
  chat: { addressFile: address, allow: ["POST /"] }
  hub:
    address: https://hub.example/
    events: { path: /lockers, signingKeyFile: keys }
    credentials: { bearerFile: token }
    idempotencyKeyHours: 24
`,
    read,
  );
  expect(events).toBe('hub');
  const [servicenow, chat, hub] = connectors;
  expect(servicenow).toMatchObject({
    headers: { authorization: `Basic ${Buffer.from('lockerflow:pass-word-1').toString('base64')}` },
    allow: [
      { methods: ['GET', 'POST'], path: '/table/incident' },
      { methods: ['PATCH'], path: '/table/incident/*' },
    ],
    timeoutMs: 10_000,
    idempotencyKeyMs: 0,
    events: null,
  });
  expect(chat?.address.href).toBe('https://chat.example/hooks/T1/secret-part');
  expect(chat?.secrets).toContain('/hooks/T1/secret-part');
  expect(hub).toMatchObject({
    headers: { authorization: 'Bearer token-secret-1' },
    events: { path: '/lockers', signingKeys: [signingKey] },
    idempotencyKeyMs: 24 * 3_600_000,
    timeoutMs: 30_000,
  });
});

it('an empty file has no connectors', () => {
  expect(readConnectors('', read)).toEqual({ connectors: [], events: null, mail: [] });
});

it('a connector takes notifications in a body of its own, and a mailbox by SMTP', () => {
  const { connectors, mail } = readConnectors(
    `
connectors:
  plain: { address: https://plain.example/, notify: {} }
  chat: { addressFile: address, notify: { path: /x, body: { text: "\${notification.text}" } } }
mail:
  desk: { address: smtps://mail.example, user: me, passwordFile: password, from: a@b.example, to: [c@d.example] }
  relay: { address: "smtp://127.0.0.1:2525", from: a@b.example, to: [c@d.example] }
`,
    read,
  );
  expect(connectors.map(({ notify }) => notify)).toEqual([
    { path: '/', body: null },
    { path: '/x', body: { text: expect.stringContaining('notification.text') } },
  ]);
  expect(mail).toMatchObject([
    {
      host: 'mail.example',
      port: null,
      isTls: true,
      requiresTls: true,
      login: { user: 'me', password: 'pass-word-1' },
    },
    { host: '127.0.0.1', port: 2525, isTls: false, requiresTls: false, login: null },
  ]);
});

it('a mailbox has another name than each connector', () => {
  const desk = '{ address: smtps://mail.example, from: a@b.example, to: [c@d.example] }';
  const lines = linesOf(`
connectors: { desk: { address: https://a.example/, notify: {} } }
mail: { desk: ${desk}, night: ${desk} }
`);
  expect(lines).toEqual(['mail.desk: must have another name: a connector above has this one']);
});

it('everything that is wrong is named at once, and no secret is shown', () => {
  const lines = linesOf(`
events: nowhere
connectors:
  "bad name": { address: https://a.example/, allow: ["POST /"] }
  addresses: { address: "https://user:secret-pass@a.example/", addressFile: ftp, allow: ["FETCH /"] }
  none: { allow: ["POST /x"] }
  idle: { address: https://a.example/ }
  both: { address: https://a.example/, allow: ["GET /"], credentials: { bearerFile: lines, header: { name: Host, valueFile: empty } } }
  missing: { address: https://a.example/, allow: ["GET /"], credentials: { bearerFile: gone }, timeoutSeconds: 500, pasword: x }
  keys: { address: https://a.example/, events: { signingKeyFile: shortKey } }
mail:
  idle: { address: "https://me:secret-pass@mail.example", user: me, from: nobody, to: [] }
`);
  const found = (start: string) => lines.filter((line) => line.startsWith(start)).join(' | ');
  expect(found('connectors.bad name')).toContain('must be a name');
  expect(found('connectors.addresses.address:')).toContain('without user, password');
  expect(found('connectors.addresses.addressFile')).toContain(
    'the file ftp must hold an http or https address',
  );
  expect(found('connectors.addresses.allow.0')).toContain('must be methods and a path');
  expect(found('connectors.none:')).toContain('must have exactly one of address, addressFile');
  expect(found('connectors.idle')).toContain('has neither allow nor events');
  expect(found('connectors.both.credentials.bearerFile')).toContain('must hold one line of visible ASCII');
  expect(found('connectors.both.credentials.header.name')).toContain('sets this one itself');
  expect(found('connectors.both.credentials.header.valueFile')).toContain('the file empty is empty');
  expect(found('connectors.missing.credentials.bearerFile')).toContain('ENOENT: gone');
  expect(found('connectors.missing.timeoutSeconds')).toContain('must be at most 100, not 500');
  expect(found('connectors.missing:')).toContain('has fields that are not known here: pasword');
  expect(found('connectors.keys.events.signingKeyFile')).toContain(
    'whsec_ and the base64 of at least 24 bytes',
  );
  expect(found('mail.idle.address')).toContain('must be an address like smtps://mail.example:465');
  expect(found('mail.idle.from')).toContain('must be an e-mail address');
  expect(found('mail.idle.to')).toContain('must have at least one e-mail address');
  expect(found('mail.idle:')).toContain('must have both of user, passwordFile');
  for (const secret of ['secret-pass', 'secret-host', 'one-secret', 'two-secret', 'c2hvcnQ'])
    expect(lines.join('\n')).not.toContain(secret);
});

it('the connector of events must take events', () => {
  expect(linesOf('{ "events": "hub", "connectors": {} }')).toEqual([
    'events: must be the name of a connector above that has events, not "hub"',
  ]);
});

it('a file that is not YAML is refused with the line number, without the content of the line', () => {
  expect(linesOf('connectors:\n  a: [secret-1')).toEqual(['line 2: this is neither YAML nor JSON']);
});
