// The OpenAPI 3.1 document of the service, made from the contract alone: the table of operations, the error table, the
// examples, the callback and the token request. Pure; the service serves it at /openapi.json.
import { z } from 'zod';
import { examples } from '../operations/examples.ts';
import type { Operation } from '../operations/operation.ts';
import { type OperationName, operationNames, operationRow } from '../operations/operations.ts';
import { encodeAnswer, encodeRequest } from '../operations/parse.ts';
import { wireName } from '../wire/casing.ts';
import { rulesOf } from '../wire/field-rule.ts';
import {
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_HOURS,
  idempotencyKey,
  ON_BEHALF_OF_HEADER,
  onBehalfOf,
  REASON_HEADER,
  reason,
} from '../wire/request-headers.ts';
import { TOKEN_PATH, TOKEN_SCOPE } from '../wire/token.ts';
import { callbackSchemas, tokenOperation, tokenSchemas, webhooks } from './callback-webhook.ts';
import { failureSchema, failuresByStatus, reusedKeyFailure, sharedFailures } from './failure-answers.ts';
import { answerSchemas, reference, requestSchemas, type Schemas } from './schemas.ts';

/** What a service has beside the contract, like the sandbox of staging. */
export interface DocumentExtension {
  readonly tags: readonly object[];
  readonly paths: Readonly<Record<string, object>>;
  readonly schemas: Schemas;
}

const nothingMore: DocumentExtension = { tags: [], paths: {}, schemas: {} };

export function openApiDocument(more: DocumentExtension = nothingMore): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Locker Shipment and Account Integration Service',
      version: '1.0.0',
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction,
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    security: [{ clientCredentials: [TOKEN_SCOPE] }],
    tags: [...tags, ...more.tags],
    paths: {
      ...Object.fromEntries(operationNames.map((name) => [operationRow(name).path, { post: post(name) }])),
      [TOKEN_PATH]: { post: tokenOperation },
      ...more.paths,
    },
    webhooks,
    components: {
      schemas: { ...schemas(), ...more.schemas },
      responses: sharedFailures,
      parameters,
      securitySchemes,
    },
  };
}

const introduction = [
  'Books lockers at pick up points and manages the accounts that use them.',
  'Field names in requests match in upper and lower case; the service ignores unknown fields. Every answer has `success`, `error` and `message`. A failure is always JSON, on the HTTP status listed. A method other than POST gets `UnknownOperation` with status 405 and `Allow`.',
  'An answer or a callback may have fields, state codes and error codes that are not listed here. A client must not fail on them.',
].join('\n\n');

/** Whether a section of the published interface shows it. Readers of the document cannot open the section itself. */
const isPublished = ({ source }: Operation) => !source.startsWith('assumptions:');

/** Logistics, Account or Platform: the part of the path after the version. */
const areaOf = ({ path }: Operation) => path.split('/')[2] ?? '';

const tags = [
  ...[...new Set(operationNames.map((name) => areaOf(operationRow(name))))].map((name) => ({
    name,
    description: `Operations under /v1/${name}`,
  })),
  { name: 'Authentication', description: 'The token service (OAuth 2 client credentials)' },
  { name: 'Callbacks', description: "The callbacks that the service sends to the tenant's callback address" },
];

function post(name: OperationName): object {
  const row = operationRow(name);
  const rules = rulesOf(row.request)
    .flatMap(({ refusals }) => refusals)
    .map(({ field, message }) => `- \`${wireName(row.request, field)}\` ${message}`);
  return {
    operationId: name,
    tags: [areaOf(row)],
    summary: row.meaning,
    description: [
      isPublished(row)
        ? 'As the published interface has it.'
        : 'The published interface does not show this operation. This service has it.',
      ...(rules.length > 0 ? [`Rules:\n${rules.join('\n')}`] : []),
    ].join('\n\n'),
    parameters: [
      ...(row.effect === 'none' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
      { $ref: '#/components/parameters/OnBehalfOf' },
      { $ref: '#/components/parameters/Reason' },
    ],
    requestBody: {
      required: true,
      content: {
        [row.isMultipart ? 'multipart/form-data' : 'application/json']: {
          schema: reference(`${name}Request`),
          ...requestContent(name),
        },
      },
    },
    responses: {
      200: {
        description: 'The operation was carried out',
        content: {
          'application/json': {
            schema: reference(`${name}Answer`),
            example: encodeAnswer(name, examples[name].response),
          },
        },
      },
      ...failuresByStatus(row.errors),
      ...(row.effect === 'none' ? {} : reusedKeyFailure),
    },
  };
}

function requestContent(name: OperationName): object {
  const example = encodeRequest(name, examples[name].request) as Record<string, unknown>;
  if (!operationRow(name).isMultipart) return { example };
  // The file is shown by its text; the other part is JSON.
  const { content } = examples.UploadAccountSuggestions.request.file;
  return {
    example: { ...example, file: new TextDecoder().decode(content) },
    encoding: {
      data: { contentType: 'application/json' },
      file: { contentType: 'application/octet-stream, text/csv' },
    },
  };
}

function schemas(): Schemas {
  const all = Object.assign(
    {},
    ...operationNames.flatMap((name) => [
      requestSchemas(`${name}Request`, operationRow(name).request),
      answerSchemas(`${name}Answer`, operationRow(name).response),
    ]),
    ...callbackSchemas,
    tokenSchemas,
    { Failure: failureSchema },
  ) as Schemas;
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const { $schema: _, ...idempotencyKeySchema } = z.toJSONSchema(idempotencyKey);
const { $schema: __, ...onBehalfOfSchema } = z.toJSONSchema(onBehalfOf);
const { $schema: ___, ...reasonSchema } = z.toJSONSchema(reason);
const parameters = {
  IdempotencyKey: {
    name: IDEMPOTENCY_KEY_HEADER,
    in: 'header',
    required: false,
    description: `Makes a repeated request safe. Within ${IDEMPOTENCY_KEY_HOURS} hours, the same key with the same body gets the first successful answer again, and the service does nothing twice. Refusals are not kept. The same key with another body is InvalidRequest with status 422.`,
    schema: idempotencyKeySchema,
  },
  OnBehalfOf: {
    name: ON_BEHALF_OF_HEADER,
    in: 'header',
    required: false,
    description:
      'The person for whom the client acts, like an operator of a console: a name of 1 to 100 characters, none of them a control or invisible, percent-encoded as UTF-8. The audit log of the tenant has it beside the client. It gives no right.',
    schema: onBehalfOfSchema,
  },
  Reason: {
    name: REASON_HEADER,
    in: 'header',
    required: false,
    description:
      'Why that person has it done: 1 to 500 characters, none of them a control or invisible, percent-encoded as UTF-8. The audit log of the tenant has it beside the name; that of a booking does not.',
    schema: reasonSchema,
  },
};

const securitySchemes = {
  clientCredentials: {
    type: 'oauth2',
    description: 'Access token of the API client, sent as Authorization: Bearer',
    flows: {
      clientCredentials: { tokenUrl: TOKEN_PATH, scopes: { [TOKEN_SCOPE]: 'Every operation' } },
    },
  },
  clientSecret: {
    type: 'http',
    scheme: 'basic',
    description: 'client_id and client_secret, at the token service',
  },
};
