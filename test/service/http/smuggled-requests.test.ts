// @module-tag invariant
// Requests that two readers could take for different ones, as a proxy before the service and the service itself: the
// service reads at most one request out of them, and answers no other.
import { expect, test } from 'vitest';
import { createTestService } from '../../support/service.ts';
import { useInFile } from '../../support/use.ts';
import { sendRaw } from './raw-http.ts';

const path = '/v1/Account/GetAccount';
const hidden = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const asked = (headers: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

const service = useInFile(() => createTestService());

test.each([
  ['a length and chunks', asked('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'), `0\r\n\r\n${hidden}`],
  ['chunks and a length', asked('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n'), `0\r\n\r\n${hidden}`],
  [
    'chunks that are not the last coding',
    asked('Transfer-Encoding: chunked, identity\r\n'),
    `0\r\n\r\n${hidden}`,
  ],
  ['chunks of another name', asked('Transfer-Encoding: xchunked\r\n'), `0\r\n\r\n${hidden}`],
  ['a space before the colon', asked('Transfer-Encoding : chunked\r\n'), `0\r\n\r\n${hidden}`],
  [
    'a folded header',
    asked('X-Folded: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 5\r\n'),
    `0\r\n\r\n${hidden}`,
  ],
  [
    'lines that end in LF alone',
    asked('Transfer-Encoding: chunked\r\n').replaceAll('\r\n', '\n'),
    `0\n\n${hidden}`,
  ],
  ['a length with a sign', asked('Content-Length: +0\r\n'), hidden],
  ['a length in hexadecimal', asked('Content-Length: 0x0\r\n'), hidden],
  ['a chunk whose length is not a number', asked('Transfer-Encoding: chunked\r\n'), `zz\r\n\r\n${hidden}`],
  ['a NUL in a header', asked('X-Odd: a\0b\r\nContent-Length: 0\r\n'), hidden],
])('%s hide no second request', async (_what, head, rest) => {
  const { status, head: answered, body } = await sendRaw(service.address, head + rest);
  expect({ status, answered, body }).toMatchObject({ status: 400 });
  expect(answered).toMatch(/connection: close/i);
  expect(body).not.toContain('HTTP/1.1');
});
