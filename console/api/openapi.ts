// The OpenAPI 3.1 document of this installation: the routes by what each says of itself, and the flows that can be started
// here. It changes when a flow file is published.
import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import type { JsonSchema, Schemas } from '../../contract/openapi/schemas.ts';
import {
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKey,
  ON_BEHALF_OF_HEADER,
  onBehalfOf,
} from '../../contract/wire/request-headers.ts';
import { schemaOf } from '../../processes/views/flow-schemas.ts';
import { shownProcess } from '../../processes/views/shown-process.ts';
import { apiDocument } from '../../shared/api-description/api-description.ts';
import type { StaticFile } from '../../shared/http/static-file.ts';
import { rights, scopesOf } from '../access/rights.ts';
import { componentsOf, type FlowDocument, type InstalledFlow } from './flow-document.ts';
import { limits } from './limits.ts';
import { problemSchema } from './problem.ts';
import type { AnswerDescription, ApiRoute } from './route.ts';

const BODY_MB = 1;

const introduction = [
  'Starts and reads processes of this installation: built-in flows and every published flow file. This document is made by the running server and changes when a flow file is published.',
  'Programs send an access token of the issuer that the server is set to, as `Authorization: Bearer <ACCESS_TOKEN>`. People who are signed in to the console call the API from its pages with the same rights.',
  'Bodies are JSON. No object in them may have the key `__proto__`, or the key `constructor` with a `prototype` in it.',
  'Failures are `application/problem+json` (RFC 9457) with a `code` that does not change. Answers may have more fields than this document lists: do not fail on them.',
  `Limits: a body has at most ${BODY_MB} MB, a page ${limits.rows} rows, \`Prefer: wait\` ${limits.longestWait} s. One caller has at most ${limits.waits} waiting requests at a time.`,
].join('\n\n');

const tags = [
  { name: 'Processes', description: 'Runs of flows, by their business keys' },
  { name: 'Inbox', description: 'Questions of processes to people' },
  { name: 'Flows', description: 'What can be started' },
];

function openApiOf(
  routes: readonly ApiRoute[],
  installed: readonly InstalledFlow[],
  issuer: string | undefined,
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, installed) };
  const schemas: Schemas = {
    Problem: schemaOf(problemSchema, 'output'),
    ...componentsOf(installed, schemaOf(shownProcess, 'output')),
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Processes of lockerflow',
      version: '1.0.0',
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction,
    },
    servers: [{ url: '/', description: 'The server that serves this document' }],
    security: [{ accessToken: [] }, { session: [] }],
    tags,
    paths,
    components: {
      schemas,
      parameters,
      responses: { Problem: problemAnswer },
      securitySchemes: securityOf(issuer),
    },
  };
}

/** For as long as nothing is published: making it takes some milliseconds. */
export function documentFile(
  routes: readonly ApiRoute[],
  document: FlowDocument,
  issuer: string | undefined,
): () => Promise<StaticFile> {
  let last: { readonly of: string; readonly file: Promise<StaticFile> } | undefined;
  return async () => {
    const installed = await document.installed();
    const of = JSON.stringify(installed);
    if (last?.of !== of) last = { of, file: apiDocument(openApiOf(routes, installed, issuer)) };
    return await last.file;
  };
}

function operationOf(route: ApiRoute, installed: readonly InstalledFlow[]): object {
  const { name, tag, summary, description, right, answers } = route;
  const scopes = scopesOf(right).join('` or `');
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: [
      ...(description === undefined ? [] : [description]),
      `Needs the scope \`${scopes}\`, or the role \`${rights[right].role}\`.`,
    ].join('\n\n'),
    ...withParameters(route),
    ...withBody(route, installed),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)])),
      ...problemsOf(route),
    },
  };
}

function answerOf({
  description,
  schema,
  mediaType = 'application/json',
  headers,
}: AnswerDescription): object {
  const content =
    typeof schema === 'string' ? { $ref: `#/components/schemas/${schema}` } : schemaOf(schema, 'output');
  return {
    description,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([header, words]) => [
          header,
          { description: words, schema: { type: 'string' } },
        ]),
      ),
    }),
    content: { [mediaType]: { schema: content } },
  };
}

/** Those that every route may answer with. */
const ALWAYS = [401, 403, 404, 500, 503] as const;

function problemsOf({ problems = [], query, body }: ApiRoute): object {
  const own = [...problems, ...(query || body ? [400] : []), ...(body ? [413, 415] : [])];
  const all = [...new Set<number>([...ALWAYS, ...own])].sort((one, other) => one - other);
  return Object.fromEntries(all.map((status) => [status, { $ref: '#/components/responses/Problem' }]));
}

const problemAnswer = {
  description: 'Refused: `code` says why',
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      example: {
        title: STATUS_CODES[400],
        status: 400,
        code: 'InvalidRequest',
        detail: 'Wrong request: key is required (expected a text).',
        errors: [{ field: 'key', message: 'is required (expected a text)' }],
      },
    },
  },
};

function withParameters({ params, query, headers = [] }: ApiRoute): object {
  const all = [
    ...parametersOf(params, 'path'),
    ...parametersOf(query, 'query'),
    ...headers.map((header) => ({ $ref: `#/components/parameters/${header}` })),
  ];
  return all.length > 0 ? { parameters: all } : {};
}

function parametersOf(given: z.ZodType | undefined, place: 'path' | 'query'): object[] {
  if (given === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(given, 'input');
  return Object.entries(properties as Schemas).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...split(schema),
  }));
}

const split = ({ description, ...schema }: JsonSchema) => ({
  ...(description !== undefined && { description }),
  schema,
});

function withBody(
  { body, bodyAs, bodySchema, example }: ApiRoute,
  installed: readonly InstalledFlow[],
): object {
  if (body === undefined) return {};
  const content =
    bodyAs === undefined
      ? { schema: bodySchema ?? schemaOf(body, 'input'), ...(example !== undefined && { example }) }
      : {
          schema: { $ref: `#/components/schemas/${bodyAs}` },
          examples: Object.fromEntries(
            installed.flatMap(({ flow, example: value }) => (value === null ? [] : [[flow, { value }]])),
          ),
        };
  return { requestBody: { required: true, content: { 'application/json': content } } };
}

const headerSchema = (schema: z.ZodType): JsonSchema => schemaOf(schema, 'input');

const parameters = {
  IdempotencyKey: {
    name: IDEMPOTENCY_KEY_HEADER,
    in: 'header',
    required: false,
    description:
      'Makes a repeated request safe: the same key with the same request takes effect once. With another request it is `InvalidRequest` with status 422. Refusals are not kept.',
    schema: headerSchema(idempotencyKey),
  },
  Prefer: {
    name: 'prefer',
    in: 'header',
    required: false,
    description: `RFC 7240: \`wait=30\` answers once the process has ended, or after 30 s; at most ${limits.longestWait}.`,
    schema: { type: 'string', examples: ['wait=30'] },
  },
  OnBehalfOf: {
    name: ON_BEHALF_OF_HEADER,
    in: 'header',
    required: false,
    description:
      'The person for whom a program acts: a name of 1 to 100 characters, none of them a control or invisible, percent-encoded as UTF-8. The process keeps it beside the program. It gives no right.',
    schema: headerSchema(onBehalfOf),
  },
};

const securityOf = (issuer: string | undefined) => ({
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      issuer === undefined ? 'API_ISSUER is not set: this server takes none' : `An access token of ${issuer}`,
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'lockerflow-console',
    description: 'A person who is signed in to the console',
  },
});
