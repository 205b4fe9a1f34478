// No error of the API client shows a token, a secret, an access code or a person, whatever the answer echoes.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import { apiError, clientSecret, withApi } from './api-under-test.ts';
import { json, type Reply, text } from './test-server.ts';

const accessCode = '493027';
const person = examples.CreateOrGetAccount.request;

/** Everything that a logger or a failure converter could take out of an error. */
const shown = (error: Error) =>
  [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), error.message, error.stack].join(
    '\n',
  );

const echoes: [title: string, echo: (told: string) => Reply][] = [
  ['page', (told) => text(500, 'text/html', `<pre>${told} code=${accessCode} mail olga@example.org</pre>`)],
  ['long page', (told) => text(500, 'text/html', `${'x'.repeat(495)}${told}`)],
  [
    'JSON answer that is cut',
    (told) => text(200, 'application/json', `{"pickUpCode":"${accessCode}","a":"${told}`),
  ],
  [
    'JSON answer without success',
    (told) => json(200, { pickUpCode: accessCode, told: [told, Number(accessCode)] }),
  ],
  [
    'refusal',
    (told) =>
      json(403, { success: false, error: 'InvalidAccessCode', message: `${told}: ${accessCode} is wrong` }),
  ],
];

describe.each(echoes)('a %s', (_, echo) => {
  it('that echoes the credentials and the request shows none of it in the error', async () => {
    const reply: Reply = (response, request) => {
      const told = `${request.headers.authorization} ${clientSecret} ${person.emailAddress}`;
      return echo(told)(response, request);
    };
    await withApi({ reply }, async ({ api }) => {
      const error = await apiError(api.call('CreateOrGetAccount', person));
      for (const secret of [
        'token-secret-1',
        clientSecret,
        accessCode,
        person.emailAddress,
        'olga@example.org',
      ])
        expect(shown(error)).not.toContain(secret);
    });
  });
});

describe('an error', () => {
  it('shows the beginning of a page, so that a person sees which server answered', async () => {
    const reply = text(502, 'text/html', `<h1>502 Bad Gateway</h1><hr>nginx${'.'.repeat(5_000)}`);
    await withApi({ reply }, async ({ api }) => {
      const { cause } = await apiError(api.call('CancelShipment', { shipmentUid: 'shipment-1' }));
      expect(cause).toMatchObject({ contentType: 'text/html', reason: 'the body is not JSON' });
      expect(cause?.body).toContain('<h1>502 Bad Gateway</h1><hr>nginx');
      expect(cause?.body?.length).toBeLessThanOrEqual(500);
    });
  });

  it('shows the keys of JSON that was not understood, without their values', async () => {
    const reply = json(200, { result: { shipmentUids: ['shipment-1'] } });
    await withApi({ reply }, async ({ api }) => {
      const { cause } = await apiError(api.call('CancelShipment', { shipmentUid: 'shipment-9' }));
      expect(cause?.body).toBe('{"result":{"shipmentUids":["…"]}}');
    });
  });

  it('keeps the uids in the message of the service', async () => {
    const reply = json(409, {
      success: false,
      error: 'InvalidShipmentState',
      message: 'shipment-1001 is Completed',
    });
    await withApi({ reply }, async ({ api }) => {
      const error = await apiError(api.call('CancelShipment', { shipmentUid: 'shipment-1001' }));
      expect(error.message).toBe('CancelShipment: InvalidShipmentState: shipment-1001 is Completed');
    });
  });

  it('does not show the account that a failing answer carried', async () => {
    const reply = json(409, {
      success: false,
      error: 'MutationConfigFailed',
      userUid: 'user-new',
      firstName: 'Olga',
    });
    await withApi({ reply }, async ({ api }) => {
      expect(shown(await apiError(api.call('CreateOrGetAccount', person)))).not.toContain('Olga');
    });
  });
});
