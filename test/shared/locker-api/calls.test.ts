// What the API client sends and how it goes about it, against a real server.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodeAnswer, type OperationName, operationNames, operationRow } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { LockerApi } from '../../../shared/locker-api/index.ts';
import { apiError, book, booked, withApi } from './api-under-test.ts';
import { json, type Reply, success, text } from './test-server.ts';

const answered = <Name extends OperationName>(name: Name) =>
  json(200, encodeAnswer(name, examples[name].response));

describe('the API client', () => {
  it.each(operationNames)('calls %s at its path and gives its answer in camelCase', async (name) => {
    await withApi({ reply: answered(name) }, async ({ api, service }) => {
      expect(await api.call(name, examples[name].request)).toEqual(examples[name].response);
      expect(service.requests).toHaveLength(1);
      expect(service.requests[0]).toMatchObject({
        path: operationRow(name).path,
        headers: { authorization: 'Bearer token-secret-1', accept: 'application/json' },
      });
    });
  });

  it('names the fields of a creation as the interface does', async () => {
    await withApi({}, async ({ api, service }) => {
      await book(api);
      expect(service.requests[0]?.headers['content-type']).toBe('application/json');
      expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
        PupUid: 'pup-central',
        ToUserUid: 'user-anna',
        AllowLargerLockers: true,
        AllowOverflowLockers: false,
        Dimension: { width: 1, height: 2, length: 3 },
      });
    });
  });

  it('sends an upload as two parts, the data as JSON and the file with its name', async () => {
    await withApi({ reply: answered('UploadAccountSuggestions') }, async ({ api, service }) => {
      const content = Buffer.from('EmailAddress;PhoneNumber\n');
      await api.call('UploadAccountSuggestions', {
        data: { reference: 'spring' },
        file: { name: 'a.csv', content },
      });
      const { headers, body } = service.requests[0] ?? { headers: {}, body: '' };
      const form = await new Response(Buffer.from(body, 'latin1'), {
        headers: { 'content-type': headers['content-type'] ?? '' },
      }).formData();
      expect(form.get('data')).toBe('{"reference":"spring"}');
      const file = form.get('file');
      expect(file).toBeInstanceOf(File);
      expect([file instanceof File && file.name, file instanceof File && (await file.text())]).toEqual([
        'a.csv',
        content.toString(),
      ]);
    });
  });

  it('keeps the path of the addresses it is given', async () => {
    await withApi({}, async ({ service, tokenService }) => {
      const options = { apiUrl: `${service.url}/locker/api/`, authUrl: `${tokenService.url}/auth` };
      await withApi({ options }, async ({ api }) => void (await book(api)));
      expect(service.requests[0]?.path).toBe('/locker/api/v1/Logistics/CreateLocalShipmentAsIssue');
      expect(tokenService.requests[0]?.path).toBe('/auth/connect/token');
    });
  });

  it.each(['ftp://locker.example', 'not an address', 'https://user:password@locker.example', ''])(
    'refuses the address "%s" without repeating it',
    (apiUrl) => {
      const create = () =>
        new LockerApi({ apiUrl, authUrl: 'http://127.0.0.1', clientId: 'c', clientSecret: 's' });
      expect(create).toThrow(
        new TypeError('apiUrl must be an http or https address without credentials, query and fragment'),
      );
    },
  );

  it('sends an Idempotency-Key when it is given one', async () => {
    await withApi({}, async ({ api, service }) => {
      await book(api, { idempotencyKey: 'order-1/book' });
      await book(api);
      expect(service.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
        'order-1/book',
        undefined,
      ]);
    });
  });

  it('refuses an Idempotency-Key that no header can carry', async () => {
    await withApi({}, async ({ api, service }) => {
      await expect(book(api, { idempotencyKey: 'größe\n' })).rejects.toThrow(TypeError);
      expect(service.requests).toEqual([]);
    });
  });

  it('reads an answer that is gzip, has a byte order mark, other casing and more fields than known', async () => {
    const body = '\ufeff{"SUCCESS":true,"ShipmentUids":["shipment-1"],"error":"","lockerColour":"red"}';
    const reply = text(201, 'text/json; charset=utf-8', gzipSync(body), { 'content-encoding': 'gzip' });
    await withApi({ reply }, async ({ api }) => expect(await book(api)).toEqual(booked));
  });

  it('keeps its connections for one call after another', async () => {
    await withApi({}, async ({ api, service }) => {
      for (let call = 0; call < 20; call += 1) await book(api);
      expect(service.requests).toHaveLength(20);
      // A call from within the answer to the one before finds that connection still busy: hence two.
      expect(service.connections()).toBeLessThanOrEqual(2);
    });
  });

  it('opens no more than 64 connections at a time', async () => {
    await withApi({}, async ({ api, service }) => {
      await Promise.all(Array.from({ length: 300 }, () => book(api)));
      expect(service.requests).toHaveLength(300);
      expect(service.connections()).toBeLessThanOrEqual(64);
    });
  });

  it('goes on after an answer that was cut, on another connection', async () => {
    await withApi(
      { reply: (response) => void response.socket?.resetAndDestroy() },
      async ({ api, service }) => {
        await apiError(book(api));
        service.reply = success(booked);
        expect(await book(api)).toEqual(booked);
        expect(service.requests).toHaveLength(2);
      },
    );
  });

  it('follows no redirect, so that the token goes nowhere else', async () => {
    await withApi({}, async ({ api, service, tokenService: elsewhere }) => {
      await book(api);
      const before = elsewhere.requests.length;
      service.reply = (response) =>
        void response.writeHead(302, { location: `${elsewhere.url}/v1/Logistics/CancelShipment` }).end();
      expect((await apiError(book(api))).code).toBe('InvalidResponse');
      expect(elsewhere.requests).toHaveLength(before);
    });
  });

  it('gives the request id that the service names', async () => {
    const reply = json(404, { success: false, error: 'InvalidPupUid' }, { 'x-request-id': 'request-7' });
    await withApi({ reply }, async ({ api }) =>
      expect((await apiError(book(api))).requestId).toBe('request-7'),
    );
  });

  it('gives the other fields of a failing answer', async () => {
    const reply = json(409, { success: false, error: 'MutationConfigFailed', userUid: 'user-new' });
    await withApi({ reply }, async ({ api }) => {
      const error = await apiError(api.call('CreateOrGetAccount', examples.CreateOrGetAccount.request));
      expect(error.fields).toEqual({ userUid: 'user-new' });
    });
  });
});

describe('an abort', () => {
  it('before the call sends nothing', async () => {
    await withApi({}, async ({ api, service }) => {
      const error = await apiError(book(api, { signal: AbortSignal.abort() }));
      expect(error).toMatchObject({ code: 'Aborted', retryable: false, mayHaveReachedService: 'no' });
      expect(service.requests).toEqual([]);
    });
  });

  it('while the service works ends the call at once, with the outcome unknown', async () => {
    const controller = new AbortController();
    const reply: Reply = () => controller.abort();
    await withApi({ reply }, async ({ api }) => {
      const error = await apiError(book(api, { signal: controller.signal }));
      expect(error).toMatchObject({ code: 'Aborted', mayHaveReachedService: 'unknown' });
    });
  });

  it('while the token is fetched ends this call alone, and nothing was done', async () => {
    const controller = new AbortController();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const token: Reply = async (response, request) => {
      controller.abort();
      await held;
      await json(200, { access_token: 'token', token_type: 'bearer', expires_in: 60 })(response, request);
    };
    await withApi({ token }, async ({ api, tokenService }) => {
      const aborted = apiError(book(api, { signal: controller.signal }));
      const other = book(api);
      expect(await aborted).toMatchObject({ code: 'Aborted', mayHaveReachedService: 'no' });
      release();
      expect(await other).toEqual(booked);
      expect(tokenService.requests).toHaveLength(1);
    });
  });

  it('while waiting for a connection sends nothing later', async () => {
    const waiting: (() => void)[] = [];
    const reply: Reply = (response, request) =>
      void waiting.push(() => void success(booked)(response, request));
    await withApi({ reply }, async ({ api, service }) => {
      const sent = Array.from({ length: 64 }, () => book(api));
      await expect.poll(() => waiting.length, { timeout: 60_000 }).toBe(64);
      const controller = new AbortController();
      const queued = apiError(book(api, { signal: controller.signal }));
      // The abort must meet the call in the queue: its token is there already, so a turn of the loop suffices.
      await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      expect(await queued).toMatchObject({ code: 'Aborted', mayHaveReachedService: 'no' });
      for (const release of waiting) release();
      await Promise.all(sent);
      service.reply = success(booked);
      await book(api);
      expect(service.requests).toHaveLength(65);
    });
  });
});

describe('a closed client', () => {
  it('sends nothing, and can be closed again', async () => {
    await withApi({}, async ({ api, service }) => {
      await book(api);
      await api.close();
      await api.close();
      expect(await apiError(book(api))).toMatchObject({ code: 'Unreachable', mayHaveReachedService: 'no' });
      expect(service.requests).toHaveLength(1);
    });
  });
});
