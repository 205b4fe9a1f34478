// A route of the API: what it says of itself is its line in the OpenAPI document, its check of the request and its place in
// the server. Handlers get values that have their shapes, and throw what refusal.ts knows.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';
import { plainMessages } from '../../contract/wire/format-issue.ts';
import { wrongFieldsOf } from '../../processes/commands/read-values.ts';
import { type Caller, type Right, roleFor } from '../access/rights.ts';
import { currentRequester } from '../heavy/fair-queue.ts';
import { ConsoleRefusal, formatFieldIssues } from '../refusal.ts';
import type { SharedAnswers } from '../shared-answers.ts';
import { checkHeaders } from './command-context.ts';
import { shownTo } from './personal.ts';

interface RouteRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface AnswerDescription {
  readonly description: string;
  /** Describes the answer's body; a name refers to a schema of the document that depends on the installation. */
  readonly schema: z.ZodType | string;
  readonly mediaType?: string;
  /** Beside the body. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteDescription<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> {
  /** As the document names it, like startProcess. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** With parameters as {key}. */
  readonly path: `/v1/${string}`;
  readonly right: Right;
  readonly tag: 'Processes' | 'Inbox' | 'Flows';
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The name of a schema of the document, in the place of the body's own. */
  readonly bodyAs?: string;
  /** The schema of the body in the document, where zod does not say all of it. */
  readonly bodySchema?: JsonSchema;
  readonly example?: unknown;
  /** Headers that it reads: of the document's parameters. */
  readonly headers?: readonly ('IdempotencyKey' | 'Prefer' | 'OnBehalfOf')[];
  /** By status, the successful ones. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Statuses of its problems, beside those that every route has. */
  readonly problems?: readonly number[];
  /** Its answer may hold what an operation told of a person: who may not act on processes reads it without. */
  readonly isOfPeople?: true;
  /** All who ask for the same within so many milliseconds have one answer: it does not depend on the caller. */
  readonly sharedMs?: number;
}

export interface ApiRoute extends RouteDescription<z.ZodObject, z.ZodObject, z.ZodType> {
  readonly handle: (asked: RouteRequest<never, never, never>) => Promise<unknown>;
}

const nothing = z.strictObject({});
type Nothing = typeof nothing;

export function apiRoute<
  Params extends z.ZodObject = Nothing,
  Query extends z.ZodObject = Nothing,
  Body extends z.ZodType = Nothing,
>(
  words: RouteDescription<Params, Query, Body> & {
    handle(asked: RouteRequest<z.output<Params>, z.output<Query>, z.output<Body>>): Promise<unknown>;
  },
): ApiRoute {
  return words as unknown as ApiRoute;
}

/** What a route is added to. */
export interface RoutePlace {
  readonly app: FastifyInstance;
  readonly shared: SharedAnswers;
}

export function addRoute({ app, shared }: RoutePlace, route: ApiRoute): void {
  const { method, path, right, params, query = nothing, body, sharedMs, handle } = route;
  const { headers = [], isOfPeople = false } = route;
  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { access: roleFor(right), right },
    handler: async (request, reply) => {
      const asked = {
        params: read(params ?? nothing, request.params, 'NotFound'),
        query: read(query, request.query),
        body: body === undefined ? undefined : read(body, bodyOf(request)),
        caller: request.caller,
        request,
        reply,
      };
      checkHeaders(headers, asked);
      const asker = { caller: request.caller.id, isGone: () => request.raw.socket.destroyed };
      const made = () => handle(asked as unknown as RouteRequest<never, never, never>);
      const answered = await (sharedMs === undefined
        ? currentRequester.run(asker, made)
        : shared.of(request.url, sharedMs, made));
      return isOfPeople ? shownTo(request.caller, answered) : answered;
    },
  });
}

function bodyOf({ body }: FastifyRequest): unknown {
  if (body === undefined || body === null)
    throw new ConsoleRefusal(400, 'InvalidRequest', 'The request has no body; expected a JSON object.');
  return body;
}

/** Throws ConsoleRefusal, which names every wrong field. */
function read(
  schema: z.ZodType,
  value: unknown,
  code: 'InvalidRequest' | 'NotFound' = 'InvalidRequest',
): unknown {
  const { data, error } = schema.safeParse(value ?? {}, plainMessages);
  if (!error) return data;
  throw new ConsoleRefusal(
    code === 'NotFound' ? 404 : 400,
    code,
    `Wrong request: ${formatFieldIssues(error)}.`,
    wrongFieldsOf(error),
  );
}
