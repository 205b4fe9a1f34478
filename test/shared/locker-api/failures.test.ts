// The API client against a real server that misbehaves: each way ends in the right LockerApiError.
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { LockerApiError } from '../../../shared/locker-api/index.ts';
import { apiError, book, booked, withApi } from './api-under-test.ts';
import { failure, json, type Reply, raw, success, text } from './test-server.ts';

type Expected = Partial<
  Pick<LockerApiError, 'code' | 'httpStatus' | 'retryable' | 'mayHaveReachedService' | 'retryAfterMs'>
>;

const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const head = (fields: string, status = '200 OK') => `HTTP/1.1 ${status}\r\n${fields}\r\n\r\n`;
const jsonHead = (length: number) => head(`Content-Type: application/json\r\nContent-Length: ${length}`);
const itsClock = 'Thu, 20 Nov 2025 10:00:00 GMT';
const inTwoMinutes = 'Thu, 20 Nov 2025 10:02:00 GMT';

const unknownLost: Expected = { code: 'ConnectionLost', retryable: true, mayHaveReachedService: 'unknown' };
const unknownInvalid: Expected = { code: 'InvalidResponse', mayHaveReachedService: 'unknown' };
const definite: Expected = { mayHaveReachedService: 'yes' };

const rows: [title: string, reply: Reply, expected: Expected][] = [
  ['resets once the request is there', (response) => void response.socket?.resetAndDestroy(), unknownLost],
  ['closes without an answer', (response) => void response.socket?.end(), unknownLost],
  ['resets in the middle of the head', raw('HTTP/1.1 200 OK\r\nConte', 'reset'), unknownLost],
  ['resets in the middle of the body', raw(`${jsonHead(100)}{"success":`, 'reset'), unknownLost],
  ['closes before Content-Length is reached', raw(`${jsonHead(100)}{"success":true}`), unknownLost],
  [
    'ends a chunked answer without its last chunk',
    raw(`${head('Content-Type: application/json\r\nTransfer-Encoding: chunked')}5\r\n{"suc\r\n`),
    unknownLost,
  ],
  ['does not speak HTTP', raw('SSH-2.0-OpenSSH_9.6\r\n'), unknownLost],
  [
    'cuts the JSON and calls it whole',
    text(200, 'application/json', '{"shipmentUids":["shipment-1"],"succ'),
    { ...unknownInvalid, httpStatus: 200, retryable: true },
  ],
  [
    'closes in the middle of an answer without a length',
    raw(`${head('Content-Type: application/json\r\nConnection: close')}{"shipmentUids":["ship`),
    unknownInvalid,
  ],
  ['answers a page on 200', text(200, 'text/html', html), { ...unknownInvalid, httpStatus: 200 }],
  [
    'answers a page on 502',
    text(502, 'text/html', html),
    { ...unknownInvalid, httpStatus: 502, retryable: true },
  ],
  [
    'answers a page on 403',
    text(403, 'text/html', html),
    { ...unknownInvalid, httpStatus: 403, retryable: false },
  ],
  ['answers 200 without a body', text(200, 'application/json', ''), { ...unknownInvalid, httpStatus: 200 }],
  ['answers 204', (response) => void response.writeHead(204).end(), { ...unknownInvalid, httpStatus: 204 }],
  ['answers JSON that is not an envelope', json(200, ['shipment-1']), unknownInvalid],
  ['answers null', json(200, null), unknownInvalid],
  ['leaves out success', json(200, { shipmentUids: ['shipment-1'] }), unknownInvalid],
  ['succeeds without shipmentUids', success({}), unknownInvalid],
  ['says success on 300', json(300, { success: true, shipmentUids: ['shipment-1'] }), unknownInvalid],
  ['says success on 500', json(500, { success: true, shipmentUids: ['shipment-1'] }), unknownInvalid],
  [
    'sends garbage as gzip',
    text(200, 'application/json', 'no gzip', { 'content-encoding': 'gzip' }),
    unknownInvalid,
  ],
  [
    'sends an encoding nobody asked for',
    text(200, 'application/json', '{}', { 'content-encoding': 'br' }),
    unknownInvalid,
  ],
  [
    'redirects',
    text(307, 'text/html', html, { location: 'http://127.0.0.1:1/elsewhere' }),
    { ...unknownInvalid, httpStatus: 307, retryable: false },
  ],
  [
    'sends more than the client takes',
    text(200, 'application/json', ' '.repeat(2_000_000)),
    { code: 'ResponseTooLarge', retryable: false, mayHaveReachedService: 'unknown' },
  ],
  [
    'sends gzip that unpacks to more than the client takes',
    text(200, 'application/json', gzipSync(Buffer.alloc(2_000_000)), { 'content-encoding': 'gzip' }),
    { code: 'ResponseTooLarge', retryable: false, mayHaveReachedService: 'unknown' },
  ],
  [
    'refuses on 200',
    failure(200, 'NoLockerAvailable', 'all taken'),
    { ...definite, code: 'NoLockerAvailable', httpStatus: 200, retryable: true },
  ],
  ['refuses on 404', failure(404, 'InvalidPupUid'), { ...definite, code: 'InvalidPupUid', retryable: false }],
  [
    'refuses as text/plain',
    text(409, 'text/plain', '{"success":false,"error":"NoFittingLocker"}'),
    { ...definite, code: 'NoFittingLocker', retryable: false },
  ],
  [
    'refuses with a code that nobody has heard of',
    failure(422, 'LockerOnHoliday'),
    { ...definite, code: 'LockerOnHoliday', httpStatus: 422, retryable: false },
  ],
  [
    'refuses without a code on 200',
    failure(200, null),
    { code: 'InternalError', retryable: true, mayHaveReachedService: 'unknown' },
  ],
  [
    'fails inside with an envelope on 500',
    failure(500, 'InternalError'),
    { code: 'InternalError', httpStatus: 500, retryable: true, mayHaveReachedService: 'unknown' },
  ],
  [
    'says a code of a refusal on 500',
    failure(500, 'InvalidPupUid'),
    { code: 'InvalidPupUid', mayHaveReachedService: 'unknown' },
  ],
  [
    'answers 404 with a page',
    text(404, 'text/html', html),
    { ...definite, code: 'UnknownOperation', httpStatus: 404, retryable: false },
  ],
  [
    'limits the rate, in seconds',
    json(429, { success: false, error: 'RateLimitExceeded', message: null }, { 'retry-after': '7' }),
    { ...definite, code: 'RateLimitExceeded', retryable: true, retryAfterMs: 7_000 },
  ],
  [
    'limits the rate, until a moment by its own clock',
    text(429, 'text/plain', 'slow down', { 'retry-after': inTwoMinutes, date: itsClock }),
    { ...definite, code: 'RateLimitExceeded', retryable: true, retryAfterMs: 120_000 },
  ],
  [
    'is down for a while',
    text(503, 'text/html', html, { 'retry-after': '30' }),
    { ...unknownInvalid, retryable: true, retryAfterMs: 30_000 },
  ],
  [
    'gives a Retry-After of nonsense',
    text(503, 'text/html', html, { 'retry-after': '5 apples' }),
    { retryAfterMs: null },
  ],
];

describe('the API client, when the service', () => {
  it.each(rows)('%s, fails with the right error', async (_, reply, expected) => {
    await withApi({ reply, options: { maximumAnswerBytes: 1_000_000 } }, async ({ api }) => {
      const error = await apiError(book(api));
      expect(error).toMatchObject(expected);
      expect(error.message).toContain('CreateLocalShipmentAsIssue');
    });
  });

  it('is not reachable, knows that nothing was done', async () => {
    await withApi({}, async ({ api, service }) => {
      await service[Symbol.asyncDispose]();
      const error = await apiError(book(api));
      expect(error).toMatchObject({
        code: 'Unreachable',
        retryable: true,
        mayHaveReachedService: 'no',
        httpStatus: null,
      });
    });
  });

  it('has an unknown host name, knows that nothing was done', async () => {
    await withApi({ options: { apiUrl: 'http://locker.invalid' } }, async ({ api }) => {
      expect(await apiError(book(api))).toMatchObject({ code: 'Unreachable', mayHaveReachedService: 'no' });
    });
  });

  it('does not speak TLS on an https address, knows that nothing was done', async () => {
    await withApi({}, async ({ service, tokenService }) => {
      const options = { apiUrl: service.url.replace('http:', 'https:'), authUrl: tokenService.url };
      await withApi({ options }, async ({ api }) => {
        expect(await apiError(book(api))).toMatchObject({ code: 'Unreachable', mayHaveReachedService: 'no' });
      });
      expect(service.requests).toEqual([]);
    });
  });

  it('never answers, times out with the outcome unknown', async () => {
    await withApi({}, async ({ api, service }) => {
      await book(api); // So that token and connection are there, and the time-out meets the call itself.
      service.reply = () => {};
      const error = await apiError(book(api, { timeoutMs: 300 }));
      expect(error).toMatchObject({ code: 'TimedOut', retryable: true, mayHaveReachedService: 'unknown' });
    });
  });

  it('drips its answer, times out over the whole of it', async () => {
    const drip: Reply = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.socket?.on('close', () => clearInterval(timer));
    };
    await withApi({}, async ({ api, service }) => {
      await book(api); // As above.
      service.reply = drip;
      const error = await apiError(book(api, { timeoutMs: 1_500 }));
      expect(error).toMatchObject({ code: 'TimedOut', httpStatus: 200, mayHaveReachedService: 'unknown' });
    });
  });

  it('takes the connection and resets it at once, never claims a definite answer', async () => {
    await withApi({}, async ({ api, service }) => {
      await service[Symbol.asyncDispose]();
      const server = createServer((socket) => socket.resetAndDestroy());
      await new Promise<void>((resolve) =>
        server.listen(Number(new URL(service.url).port), '127.0.0.1', resolve),
      );
      try {
        const error = await apiError(book(api));
        // Whether the reset comes before the first byte is sent is the kernel's to decide.
        expect([
          ['Unreachable', 'no'],
          ['ConnectionLost', 'unknown'],
        ]).toContainEqual([error.code, error.mayHaveReachedService]);
      } finally {
        server.close();
      }
    });
  });

  it('would get a request that breaks the contract, sends nothing and names the field', async () => {
    await withApi({}, async ({ api, service, tokenService }) => {
      const error = await apiError(api.call('CancelShipment', { shipmentUid: '' }));
      expect(error).toMatchObject({ code: 'InvalidRequest', retryable: false, mayHaveReachedService: 'no' });
      expect(error.message).toContain('shipmentUid');
      expect([...service.requests, ...tokenService.requests]).toEqual([]);
    });
  });
});

it('takes a success with any status from 200 to 299', async () => {
  await withApi({ reply: json(299, { success: true, ...booked }) }, async ({ api }) => {
    expect(await book(api)).toEqual(booked);
  });
});
