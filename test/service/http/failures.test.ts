// Whatever is wrong with a request, the answer is the envelope on the status of the error table, and the service lives.
import { expect, test } from 'vitest';
import { accessToken, callerAs, post } from '../../support/caller.ts';
import { createTestService, withService } from '../../support/service.ts';
import { useInFile } from '../../support/use.ts';
import { sendRaw } from './raw-http.ts';

const path = '/v1/Account/GetAccount';

const service = useInFile(() => createTestService());
const call = useInFile(() => callerAs(service.address));
const bearer = useInFile(async () => ({ authorization: `Bearer ${await accessToken(service.address)}` }));

const json = () => ({ 'content-type': 'application/json', ...bearer });

async function expectFailure(response: Response, status: number, error: string) {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('x-request-id')).toBeTruthy();
  const body: unknown = await response.json();
  expect(body).toMatchObject({ success: false, error, message: expect.any(String) });
  return body;
}

const unknownPaths = [
  '/v2',
  '/v1/Account/NoSuchOperation',
  '/v1/account/getaccount/',
  '/..%2f',
  '/v1/Account/GetAccount/x',
  '/docs/:version/swagger-ui.css?',
  '/:x(',
  '/*x',
];

test.each(unknownPaths)('the unknown path %s is UnknownOperation', async (unknown) => {
  await expectFailure(await fetch(service.address + unknown, { method: 'POST' }), 404, 'UnknownOperation');
});

test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  'the method %s on an operation is UnknownOperation with Allow',
  async (method) => {
    const response = await fetch(service.address + path, { method });
    expect(response.headers.get('allow')).toBe('POST');
    await expectFailure(response, 405, 'UnknownOperation');
  },
);

test.each([
  ['broken JSON', '{"userUid":'],
  ['an empty body', ''],
  ['an array', '[]'],
  [
    'a field of a wrong type beside a poisoned prototype',
    '{"userUid":{},"__proto__":{"userUid":"user-anna"}}',
  ],
  ['a field of a wrong type', '{"userUid":{}}'],
  ['nesting without end', '['.repeat(100_000)],
])('%s as the body is InvalidRequest', async (_what, body) => {
  const response = await fetch(service.address + path, { method: 'POST', headers: json(), body });
  await expectFailure(response, 400, 'InvalidRequest');
});

test.each(['application/xml', 'multipart/form-data; boundary=x'])(
  'a body of the type %s is InvalidRequest, which names the right one',
  async (type) => {
    const reply = await post(service.address + path, '{}', { ...bearer, 'content-type': type });
    expect(reply.body).toMatchObject({
      error: 'InvalidRequest',
      message: expect.stringContaining('application/json'),
    });
  },
);

test('a poisoned prototype in a body is ignored, like every name that is unknown', async () => {
  const body = '{"__proto__":{"userUid":"user-anna"},"other":{"constructor":{"prototype":{"userUid":"x"}}}}';
  const reply = await post(service.address + path, body, json());
  expect(reply).toMatchObject({ status: 200, body: { userUid: 'main-demo' } });
});

test('a body that is not UTF-8 is InvalidRequest or read as text, never an error of the service', async () => {
  const body = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31]);
  const response = await fetch(service.address + path, { method: 'POST', headers: json(), body });
  await expectFailure(response, 400, 'InvalidRequest');
});

// assumptions: The wire, Size of a body
test('a body over the limit is PayloadTooLarge, which names the limit, announced or not', async () => {
  const message = 'The body is larger than 262,144 bytes: send a smaller one';
  const body = JSON.stringify({ userUid: 'x'.repeat(service.settings.bodyLimitBytes) });
  const whole = await fetch(service.address + path, { method: 'POST', headers: json(), body });
  expect(await expectFailure(whole, 413, 'PayloadTooLarge')).toMatchObject({ message });
  const stream = new Blob([body]).stream();
  const init = { method: 'POST', headers: json(), body: stream, duplex: 'half' } as const;
  const streamed = await fetch(service.address + path, init);
  expect(await expectFailure(streamed, 413, 'PayloadTooLarge')).toMatchObject({ message });
});

test('a stranger is refused before the body is looked at', async () => {
  const reply = await post(service.address + path, '{', { 'content-type': 'application/json' });
  expect(reply).toMatchObject({ status: 401, body: { success: false, error: 'Unauthorized' } });
  expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
});

test.each([
  ['a URL that cannot be decoded', 'POST /v1/%ZZ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
  ['an unknown method', 'FLY / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  [
    'two lengths',
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
    400,
  ],
  ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a method that nobody serves', 'PROPFIND /v2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
  ['a request without a host', 'GET /v2 HTTP/1.1\r\nConnection: close\r\n\r\n', 404],
  ['an expectation', `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n`, 417],
])('%s is answered with the envelope', async (_what, bytes, status) => {
  const reply = await sendRaw(service.address, bytes);
  expect(reply.status).toBe(status);
  expect(JSON.parse(reply.body)).toMatchObject({ success: false, error: expect.any(String) });
});

test('a failure of the service is InternalError without any inner detail, and is logged whole', async () => {
  await withService(async ({ address, database, logLines }) => {
    const callBroken = await callerAs(address);
    await database.schema.alterTable('accounts').renameTo('elsewhere').execute();
    const reply = await callBroken('GetAccount', { userUid: 'user-anna' }, { 'x-request-id': 'req-1' });
    expect(reply.status).toBe(500);
    expect(JSON.stringify(reply.body)).not.toMatch(/accounts|relation|select/i);
    expect(reply.body).toMatchObject({ success: false, error: 'InternalError' });
    const logged = logLines.filter(({ requestId }) => requestId === 'req-1');
    expect(JSON.stringify(logged)).toContain('relation \\"accounts\\" does not exist');
  });
});

test('the request id of the caller is answered and logged, a harmful one replaced', async () => {
  const own = await call('GetAccount', {}, { 'x-request-id': 'case-7:1' });
  expect(own.headers.get('x-request-id')).toBe('case-7:1');
  expect(service.logLines).toContainEqual(
    expect.objectContaining({ requestId: 'case-7:1', operation: 'GetAccount', status: 200, tenant: 'demo' }),
  );
  const harmful = await call('GetAccount', {}, { 'x-request-id': 'a b'.repeat(100) });
  expect(harmful.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});
