// Decrypts payloads for people: the Web UI and the `temporal` program post them here as Temporal's remote codec
// protocol says (/decode, /encode). Only pages of the configured origins and signed-in people may ask.
import type { Payload } from '@temporalio/common';
import fastify, {
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify';
import { z } from 'zod';
import { bodyOverLimit, isBodyOverLimit } from '../../contract/wire/body-limit.ts';
import { EncryptingCodec, UndecipherablePayload } from '../../shared/codec/encrypting-codec.ts';
import { boundConnections, type ConnectionBounds } from '../../shared/http/bound-connections.ts';
import { addressesIn, isAmong } from '../../shared/settings/values.ts';
import { listening } from '../../shared/terminal/listening.ts';
import type { CodecServerSettings } from './settings.ts';
import { SIGN_IN_PAGE, SignIn } from './sign-in.ts';

export interface CodecServer {
  readonly url: string;
  close(): Promise<void>;
}

// A page of a history; the Web UI sends each payload of what it shows.
const BODY_LIMIT_BYTES = 20_000_000;
// Anybody may send it, to /sign-in or to no path at all, so the limit is the length of a secret.
const SIGN_IN_LIMIT_BYTES = 4_096;
// Fastify's own is none: anybody could keep connections for ever with bodies that do not come.
const REQUEST_TIMEOUT_MS = 60_000;

const base64 = z.base64();
const payloadsSchema = z.object({
  payloads: z.array(z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.nullish() })),
});

export async function startCodecServer(
  settings: CodecServerSettings,
  bounds?: ConnectionBounds,
): Promise<CodecServer> {
  const proxies = addressesIn(settings.trustedProxies);
  const app = fastify({
    bodyLimit: SIGN_IN_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  boundConnections(app.server, {
    ...(bounds && { bounds }),
    isProxy: (address) => isAmong(proxies, address),
    // Its log has no line for each request, and so none for these.
    onCut: () => undefined,
  });
  // Whatever a caller names the type of its body, each path reads one kind.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => body,
  );
  app.setErrorHandler((error: FastifyError, { routeOptions }, reply) => {
    const { statusCode = 500 } = error;
    const refused = isBodyOverLimit(error) ? bodyOverLimit(routeOptions.bodyLimit) : error.message;
    return send(reply, statusCode, { message: statusCode < 500 ? refused : 'the codec server failed' });
  });
  app.setNotFoundHandler((_request, reply) =>
    send(reply, 404, { message: 'there is nothing at this path; expected POST to /decode or /encode' }),
  );
  const routes = routesOf(settings);
  for (const url of codecPaths) app.route({ url, ...routes[url] });
  return {
    url: await listening(settings, 'CODEC_SERVER', (at) => app.listen(at)),
    close: () => app.close(),
  };
}

/** Everything that the codec server serves. */
export const codecPaths = ['/', '/sign-in', '/decode', '/encode'] as const;

class HttpError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

function routesOf({
  keys,
  origins,
  secret,
}: CodecServerSettings): Record<(typeof codecPaths)[number], Omit<RouteOptions, 'url'>> {
  const codec = new EncryptingCodec(keys);
  const signIn = new SignIn(secret);
  const convert = (convertAll: (payloads: Payload[]) => Promise<Payload[]>): Omit<RouteOptions, 'url'> => ({
    method: ['POST', 'OPTIONS'],
    bodyLimit: BODY_LIMIT_BYTES,
    // Before the body is read.
    onRequest: async ({ method, headers }, reply) => {
      allowOrigin(headers.origin, origins, reply);
      if (method === 'OPTIONS') return reply.code(204).send();
      if (!signIn.isKnown(headers))
        throw new HttpError(401, 'sign in at / with the secret, or send it as Authorization: Bearer …');
      return undefined;
    },
    handler: async ({ body }, reply) => {
      const payloads = await decipherable(convertAll(askedOf(body)));
      return send(reply, 200, { payloads: payloads.map(toJson) });
    },
  });
  return {
    '/': {
      method: 'GET',
      handler: async (_request, reply) => reply.headers(PAGE_HEADERS).send(SIGN_IN_PAGE),
    },
    '/sign-in': {
      method: 'POST',
      handler: async ({ body, headers }, reply) => {
        if (!signIn.isSecret(new URLSearchParams(String(body)).get('secret') ?? ''))
          throw new HttpError(401, 'this is not the secret of the codec server');
        reply.header('set-cookie', signIn.cookie(headers['x-forwarded-proto'] === 'https'));
        return 'Signed in. The Web UI shows what is encrypted now.\n';
      },
    },
    '/decode': convert((payloads) => codec.decode(payloads)),
    '/encode': convert((payloads) => codec.encode(payloads)),
  };
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'",
};

const send = (reply: FastifyReply, status: number, body: object) =>
  reply.code(status).header('cache-control', 'no-store').send(body);

/** A program sends no origin. A page of another origin gets no answer and no decryption. */
function allowOrigin(origin: string | undefined, origins: ReadonlySet<string>, reply: FastifyReply): void {
  reply.header('vary', 'origin');
  if (origin === undefined) return;
  if (!origins.has(origin))
    throw new HttpError(403, `pages of ${origin} may not ask; to let them, add it to CODEC_SERVER_ORIGINS`);
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization, content-type, x-namespace',
    'access-control-max-age': '600',
  });
}

async function decipherable(converted: Promise<Payload[]>): Promise<Payload[]> {
  try {
    return await converted;
  } catch (error) {
    if (error instanceof UndecipherablePayload) throw new HttpError(400, error.message);
    throw error;
  }
}

function askedOf(body: unknown): Payload[] {
  const { data } = payloadsSchema.safeParse(jsonOf(String(body)));
  if (!data)
    throw new HttpError(
      400,
      'the body must be {"payloads": [{"metadata": {…}, "data": "…"}]}, the values in base64',
    );
  return data.payloads.map(({ metadata = {}, data: bytes }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(bytes ?? '', 'base64'),
  }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not what was expected, as the answer says.
  }
}

const toJson = ({ metadata, data }: Payload) => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  ),
  data: Buffer.from(data ?? []).toString('base64'),
});
