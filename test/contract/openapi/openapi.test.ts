// The OpenAPI document: current in docs/, acceptable to an independent validator, whole, and true to the wire.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errors, genericErrorCodes, operationNames, operationRow } from '../../../contract/index.ts';
import { callbackCheck, checkExample } from '../../../contract/openapi/callback-webhook.ts';
import { openApiDocument } from '../../../contract/openapi/openapi.ts';
import { fieldMeanings } from '../../../contract/wire/field-meanings.ts';
import { signatureHeaders } from '../../../service/callbacks/delivery/sign-callback.ts';
import { atSizes } from '../../support/suite.ts';
import { type InterfaceRow, interfaceTable } from '../operations/interface-table.ts';

const json = JSON.stringify(openApiDocument(), null, 2);

const schema = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});
const operation = z.object({
  operationId: z.string(),
  description: z.string(),
  parameters: z.array(z.object({ $ref: z.string() })).default([]),
  responses: z.record(z.string(), z.unknown()),
});
const document = z
  .object({
    paths: z.record(z.string(), z.object({ post: operation })),
    components: z.object({
      schemas: z.record(z.string(), z.unknown()),
      responses: z.record(z.string(), z.unknown()),
    }),
  })
  .parse(JSON.parse(json));

const schemaOf = (name: string) => schema.parse(document.components.schemas[name]);
const names = (list: string) => list.split(' ').filter((name) => name !== '' && !name.includes('.'));

it('is accepted by an independent validator, with its examples', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: json, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

describe.each(operationNames)('%s', (name) => {
  const row: InterfaceRow = interfaceTable[name];
  const { responses, parameters } = document.paths[row.path]?.post ?? operation.parse({});

  it('shows the names of the interface, in its casing, and which are required', () => {
    const request = schemaOf(`${name}Request`);
    expect(Object.keys(request.properties).sort()).toEqual(
      names(`${row.required} ${row.optional} ${row.alone ?? ''}`).sort(),
    );
    // Required unless the receiver is removed: a rule, which the description tells.
    const byRule = name === 'SetShipmentReceiver' ? ['toUserUid'] : [];
    expect([...request.required, ...byRule].sort()).toEqual(names(row.required).sort());
    expect(Object.keys(schemaOf(`${name}Answer`).properties).sort()).toEqual(
      [...names(row.answer), 'success', 'error', 'message'].sort(),
    );
  });

  it('shows every code that it may fail with, under its status', () => {
    for (const code of [...operationRow(name).errors, ...genericErrorCodes]) {
      const response = JSON.stringify(responses[errors[code].status]);
      expect(response).toMatch(new RegExp(`"${code}"|#/components/responses/${code}"`));
    }
  });

  it('takes an Idempotency-Key exactly when it changes something, and always the name and the reason of a person', () => {
    const named = parameters.map(({ $ref }) => $ref.split('/').at(-1));
    const key = operationRow(name).effect === 'none' ? [] : ['IdempotencyKey'];
    expect(named).toEqual([...key, 'OnBehalfOf', 'Reason']);
  });
});

it('states the rules that no schema can show', () => {
  expect(document.paths['/v1/Logistics/CreateLocalShipment']?.post.description).toContain(
    '- `ToUserUid` must not be given when IsReceiverDelayed is true',
  );
});

it('states the meaning of every field, and of no field that does not exist', () => {
  const fields = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && typeof value.properties === 'object' && value.properties !== null)
      for (const field of Object.keys(value.properties))
        fields.add(field.charAt(0).toLowerCase() + field.slice(1));
    for (const inner of Object.values(value)) collect(inner);
  };
  const {
    TokenAnswer: _answer,
    TokenRequest: _request,
    TokenFailure: _failure,
    ...schemas
  } = document.components.schemas;
  collect(schemas);
  expect(Object.keys(fieldMeanings).sort()).toEqual([...fields].sort());
});

atSizes({ short: 1_000, long: 5000 }, (numRuns, seed) =>
  it('shows which texts are refused because they cannot be stored', () => {
    const { pattern, allOf } = z
      .object({ pattern: z.string(), allOf: z.tuple([z.object({ pattern: z.string() })]) })
      .parse(schemaOf('CancelShipmentRequest').properties.shipmentUid);
    const isValid = (text: string) =>
      [pattern, allOf[0].pattern].every((each) =>
        ['', 'u'].every((flag) => new RegExp(each, flag).test(text)),
      );
    const halves = fc.constantFrom('\0', '\ud83d', '\udeb2', '\u{1f6b2}', '\n', 'a');
    fc.assert(
      fc.property(fc.array(halves, { maxLength: 6 }), (parts) => {
        const text = `s${parts.join('')}`;
        const isTaken = operationRow('CancelShipment').request.safeParse({ shipmentUid: text }).success;
        expect(isValid(text)).toBe(isTaken);
      }),
      { seed, numRuns },
    );
  }),
);

it('gives values with which to try the check of a callback: those that the service signs with', () => {
  const { authKey, shipmentUid, body, webhookId: id, webhookTimestamp } = checkExample;
  const headers = signatureHeaders(
    { id, shipmentUid, body, standardWebhooks: true },
    { authType: 'HMAC', signingKeys: [authKey], apiKey: undefined },
    Number(webhookTimestamp),
  );
  expect(headers).toEqual({
    'x-callback-hmac': checkExample.hmac,
    'webhook-id': id,
    'webhook-timestamp': webhookTimestamp,
    'webhook-signature': checkExample.webhookSignature,
  });
  expect(openApiDocument()).toMatchObject({
    webhooks: { ShipmentStatusUpdate: { post: { description: expect.stringContaining(callbackCheck) } } },
  });
});
