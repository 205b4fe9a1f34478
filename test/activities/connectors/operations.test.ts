// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the calls hold expressions.
// docs/connectors.md: Calls by OpenAPI
// Calls of operations that another system describes by OpenAPI, over real HTTP: what is given is checked and placed as the document
// says, and so is the answer checked.
import type { IncomingHttpHeaders } from 'node:http';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callConnector } from '../../../activities/connectors/call-connector.ts';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import type { ConnectorCall } from '../../../activities/flow-files/flow-file-activities.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { json, type Peer, startPeer, text } from '../../shared/locker-api/peer.ts';

const parameters = `
        - { name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }
        - { name: tags, in: query, schema: { type: array, items: { type: string } } }
        - { name: kinds, in: query, explode: false, schema: { type: array, items: { enum: [a, b, c] } } }
        - { name: words, in: query, style: pipeDelimited, explode: false, schema: { type: array } }
        - { name: filter, in: query, style: deepObject, schema: { type: object } }
        - { name: page, in: query, schema: { type: object } }
        - { name: isOpen, in: query, schema: { type: boolean } }
        - { name: X-Site, in: header, schema: { type: string, pattern: "^[a-z]{2,5}$" } }
        - { name: Authorization, in: header, required: true, schema: { type: string } }
        - { name: session, in: cookie, schema: { type: string } }`;

/** 3.0, with what 3.1 writes in another way. */
const old = (url: string) => `
openapi: 3.0.3
info: { title: Pets, version: "1" }
servers: [{ url: "${url}/v2" }]
paths:
  /pets/{id}:
    parameters:
      - { $ref: "#/components/parameters/Trace" }
    get:
      operationId: pets/get
      parameters: ${parameters}
      responses:
        "200": { $ref: "#/components/responses/Pet" }
    put:
      operationId: putPet
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      requestBody: { $ref: "#/components/requestBodies/Pet" }
      responses:
        2XX: { $ref: "#/components/responses/Pet" }
    delete:
      operationId: notAllowed
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "204": { description: gone } }
  /uploads:
    post:
      operationId: upload
      requestBody: { required: true, content: { multipart/form-data: { schema: {} } } }
      responses: { "201": { description: there } }
components:
  parameters:
    Trace: { name: trace, in: query, schema: { type: string } }
  requestBodies:
    Pet:
      required: true
      content: { "application/merge-patch+json": { schema: { $ref: "#/components/schemas/Pet" } } }
  responses:
    Pet:
      description: A pet.
      content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string, minLength: 1 }
        owner: { type: string, nullable: true }
        weight: { type: number, minimum: 0, exclusiveMinimum: true }
        parent: { $ref: "#/components/schemas/Pet" }
        slow: { type: string, pattern: "^(a+)+$" }
`;

let peer: Peer;
let connectors: Connectors;
const pet = { id: 7, name: 'Rex', owner: null };

beforeAll(async () => {
  peer = await startPeer(json(200, pet));
  const files: Readonly<Record<string, string>> = { 'pets.yaml': old(peer.url), token: 'token-secret-1' };
  connectors = new Connectors(
    readConnectors(
      `connectors:
  pets: { openapi: pets.yaml, allow: [pets/get, "PUT /pets/*", "POST /**"], credentials: { bearerFile: token } }
  lax: { address: "${peer.url}", openapi: { document: pets.yaml, checkAnswers: false }, allow: ["GET /**"] }
  plain: { address: "${peer.url}", allow: ["GET /**"] }`,
      (path) => files[path] ?? '',
    ),
  );
});
afterAll(async () => {
  await connectors.close();
  await peer[Symbol.asyncDispose]();
});
beforeEach(() => {
  peer.requests.length = 0;
  peer.reply = json(200, pet);
});

const call = (given: Omit<ConnectorCall, 'idempotencyKey' | 'connector'> & { connector?: string }) =>
  new MockActivityEnvironment().run(() =>
    callConnector(connectors, { connector: 'pets', idempotencyKey: 'k', ...given }),
  );

test('parameters are placed as the document says', async () => {
  const kept = await call({
    operation: 'pets/get',
    parameters: {
      id: 7,
      tags: ['x y', 'z&'],
      kinds: ['a', 'b'],
      words: ['one', 'two'],
      filter: { color: 'red' },
      page: { from: 10, size: 5 },
      isOpen: true,
      'X-Site': 'north',
      trace: 't',
      session: null,
    },
    keep: '${body.name}',
  });
  expect(kept).toBe('Rex');
  const [{ method, path, headers } = { method: '', path: '', headers: {} as IncomingHttpHeaders }] =
    peer.requests;
  const { pathname, searchParams } = new URL(path, peer.url);
  expect([method, pathname, headers['x-site'], headers.authorization]).toEqual([
    'GET',
    '/v2/pets/7',
    'north',
    'Bearer token-secret-1',
  ]);
  expect([...searchParams].sort()).toEqual([
    ...[
      ['filter[color]', 'red'],
      ['from', '10'],
      ['isOpen', 'true'],
      ['kinds', 'a,b'],
      ['size', '5'],
    ],
    ...[
      ['tags', 'x y'],
      ['tags', 'z&'],
      ['trace', 't'],
      ['words', 'one|two'],
    ],
  ]);
});

test('a body has the type of the document; what only answers have is not needed', async () => {
  await call({
    operation: 'putPet',
    parameters: { id: 'a b' },
    body: { name: 'Rex', weight: 3, owner: null },
  });
  expect(peer.requests[0]).toMatchObject({
    method: 'PUT',
    path: '/v2/pets/a%20b',
    body: '{"name":"Rex","weight":3,"owner":null}',
    headers: { 'content-type': 'application/merge-patch+json' },
  });
});

type CallInput = Parameters<typeof call>[0];

const refusals: readonly [what: string, given: CallInput, type: string, words: RegExp][] = [
  [
    'an operation that is not there',
    { operation: 'pets/got' },
    'InvalidRequest',
    /pets\/got is not an operation .*perhaps pets\/get was meant/,
  ],
  [
    'one that is not allowed',
    { operation: 'notAllowed', parameters: { id: '7' } },
    'CallNotAllowed',
    /DELETE \/pets\/7 is not allowed/,
  ],
  [
    'one whose body is not JSON',
    { operation: 'upload', body: {} },
    'InvalidRequest',
    /cannot be called: its body is multipart\/form-data, not JSON/,
  ],
  [
    'a connector without a document',
    { connector: 'plain', operation: 'pets/get' },
    'InvalidRequest',
    /has no openapi/,
  ],
  [
    'a parameter that is missing',
    { operation: 'pets/get' },
    'InvalidRequest',
    /parameters must have required property 'id'/,
  ],
  [
    'null for a parameter that is needed',
    { operation: 'pets/get', parameters: { id: null } },
    'InvalidRequest',
    /'id'/,
  ],
  [
    'a parameter of another type',
    { operation: 'pets/get', parameters: { id: 'seven' } },
    'InvalidRequest',
    /parameters\.id must be integer/,
  ],
  [
    'a value that is not in the list',
    { operation: 'pets/get', parameters: { id: 7, kinds: ['d'] } },
    'InvalidRequest',
    /kinds\.0 must be equal to one of the allowed values: a, b, c/,
  ],
  [
    'an unknown parameter',
    { operation: 'pets/get', parameters: { id: 7, colour: 'red' } },
    'InvalidRequest',
    /parameters\.colour is not known/,
  ],
  [
    'a parameter that its pattern refuses',
    { operation: 'pets/get', parameters: { id: 7, 'X-Site': 'North 1' } },
    'InvalidRequest',
    /must match pattern/,
  ],
  [
    'a header in a parameter',
    { operation: 'pets/get', parameters: { id: 7, Authorization: 'Bearer x' } },
    'InvalidRequest',
    /Authorization is not known/,
  ],
  [
    'parameters that are a list',
    { operation: 'pets/get', parameters: [7] },
    'InvalidRequest',
    /parameters must be a map/,
  ],
  [
    'a path that leads elsewhere',
    { operation: 'putPet', parameters: { id: '../admin' }, body: { name: 'Rex' } },
    'InvalidRequest',
    /slash/,
  ],
  [
    'dots',
    { operation: 'putPet', parameters: { id: '..' }, body: { name: 'Rex' } },
    'InvalidRequest',
    /\. or \.\./,
  ],
  [
    'an empty part of a path',
    { operation: 'putPet', parameters: { id: '' }, body: { name: 'Rex' } },
    'InvalidRequest',
    /id is empty/,
  ],
  [
    'a query in a path',
    { operation: 'putPet', parameters: { id: '%2e%2e' }, body: { name: 'Rex' } },
    'InvalidRequest',
    /\. or \.\.|slash/,
  ],
  ['no body', { operation: 'putPet', parameters: { id: '7' } }, 'InvalidRequest', /putPet: body is missing/],
  [
    'a body without what is needed',
    { operation: 'putPet', parameters: { id: '7' }, body: {} },
    'InvalidRequest',
    /body must have required property 'name'/,
  ],
  [
    'a number on its exclusive bound',
    { operation: 'putPet', parameters: { id: '7' }, body: { name: 'Rex', weight: 0 } },
    'InvalidRequest',
    /body\.weight must be > 0/,
  ],
  [
    'a wrong part within a part',
    { operation: 'putPet', parameters: { id: '7' }, body: { name: 'Rex', parent: { name: '' } } },
    'InvalidRequest',
    /body\.parent\.name/,
  ],
  [
    'a body where there is none',
    { operation: 'pets/get', parameters: { id: 7 }, body: {} },
    'InvalidRequest',
    /takes no body/,
  ],
];

test.each(refusals)('%s: nothing is sent', async (_, given, type, words) => {
  await expect(call(given)).rejects.toMatchObject({
    type,
    nonRetryable: true,
    message: expect.stringMatching(words),
  });
  expect(peer.requests).toEqual([]);
});

test('an answer that is not as the document says is a failure, unless the operator does not mind', async () => {
  peer.reply = json(200, { id: '7', name: 'token-secret-1' });
  const given = { operation: 'pets/get', parameters: { id: 7 }, keep: '${body.id}' };
  await expect(call(given)).rejects.toMatchObject({
    type: 'AnswerUnexpected',
    nonRetryable: true,
    message: expect.stringMatching(/^pets: the call was carried out \(HTTP 200\).*body\.id must be integer$/),
  });
  expect(await call({ ...given, connector: 'lax' })).toBe('7');
  peer.reply = text(200, 'text/html', '<p>a page</p>');
  await expect(call(given)).rejects.toMatchObject({ type: 'AnswerUnexpected' });
  peer.reply = text(204, 'text/plain', '');
  expect(await call({ operation: 'putPet', parameters: { id: '7' }, body: { name: 'Rex' } })).toBe(null);
});

test('a pattern that is slow in JavaScript is not', async () => {
  const slow = `${'a'.repeat(40)}!`;
  const given = { operation: 'putPet', parameters: { id: '7' }, body: { name: 'Rex', slow } };
  await expect(call(given)).rejects.toMatchObject({ type: 'InvalidRequest' });
});

const broken: readonly [what: string, document: string, words: RegExp][] = [
  ['another version', 'swagger: "2.0"', /no OpenAPI document of version 3\.0 or 3\.1 \(it is Swagger 2\.0\)/],
  ['what is no document', '- 1', /it is no map/],
  ['what cannot be read', '{ "openapi": ', /neither YAML nor JSON/],
  [
    'an id that is there twice',
    'openapi: 3.1.0\npaths: { /a: { get: { operationId: a }, put: { operationId: a } } }',
    /the operation a twice/,
  ],
  [
    'references in a circle',
    'openapi: 3.1.0\npaths: { /a: { $ref: "#/paths/~1a" } }',
    /allow\.0: is not an operation/,
  ],
  [
    'no operation of that name',
    'openapi: 3.1.0\npaths: {}',
    /connectors\.a\.allow\.0: is not an operation of the document/,
  ],
  [
    'a parameter that is in no place',
    'openapi: 3.1.0\npaths: { "/a/{b}": { get: { operationId: get } } }',
    /allow\.0: cannot be called: its path has \{b\}/,
  ],
];

test.each(broken)('a document with %s is refused when the worker starts', (_, document, words) => {
  const read = () =>
    readConnectors(
      'connectors: { a: { address: "https://a.example", openapi: doc, allow: [get] } }',
      () => document,
    );
  expect(read).toThrow(words);
});

test('without an address the document must have a whole one', () => {
  const read = (servers: string) =>
    readConnectors(
      'connectors: { a: { openapi: doc, allow: [get] } }',
      () => `openapi: 3.1.0\nservers: ${servers}\npaths: { /a: { get: { operationId: get } } }`,
    );
  expect(read('[{ url: "https://a.example/v1" }]').connectors[0]?.address.href).toBe('https://a.example/v1');
  for (const servers of ['[]', '[{ url: /v1 }]', '[{ url: "https://{host}/v1" }]'])
    expect(() => read(servers)).toThrow(/exactly one of address, addressFile/);
});
