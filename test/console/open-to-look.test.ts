// What the console says of a locker service that does not have our own operation for a look inside.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { newTestConsole } from './console-world.ts';

test('a service that cannot open a locker to look inside is said to be one', async () => {
  const asked: unknown[] = [];
  await using service = createServer((request, response) => {
    const isToken = !request.url?.includes('OpenLocker');
    if (!isToken) asked.push(request.headers['x-on-behalf-of']);
    response.statusCode = isToken ? 200 : 404;
    response.setHeader('content-type', 'application/json');
    const token = { access_token: 'a-token', token_type: 'Bearer', expires_in: 3_600 };
    const refusal = { success: false, error: 'UnknownOperation', message: 'There is no such operation' };
    response.end(JSON.stringify(isToken ? token : refusal));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  await using console = await newTestConsole({
    LOCKER_API_URL: url,
    LOCKER_AUTH_URL: url,
    LOCKER_CLIENT_ID: 'demo',
    LOCKER_CLIENT_SECRET: 'none',
  });
  const cookie = await console.cookieOf('bram');
  const open = (body: object) => console.post('/v1/lockers/l-1/open', body, { cookie });
  expect((await open({ why: ' ' })).status).toBe(400);
  expect(asked).toEqual([]);
  const answer = await open({ why: 'a look' });
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({
    detail: expect.stringContaining('cannot open a locker to look inside'),
  });
  expect(asked).toEqual(['bram']);
});
