// Decrypts payloads for people: the Web UI and the `temporal` program post them here as Temporal's remote codec
// protocol says (/decode, /encode). Only pages of the configured origins and signed-in people may ask.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Payload } from '@temporalio/common';
import { z } from 'zod';
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
// Anybody may send this body, so its limit is the length of a secret.
const SIGN_IN_LIMIT_BYTES = 4_096;

const base64 = z.base64();
const askedPayloads = z.object({
  payloads: z.array(z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.nullish() })),
});

export async function startCodecServer(
  settings: CodecServerSettings,
  bounds?: ConnectionBounds,
): Promise<CodecServer> {
  const { host } = settings;
  const proxies = addressesIn(settings.trustedProxies);
  const answer = answering(settings);
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      const refusal = error instanceof Refused ? error : new Refused(500, 'the codec server failed');
      send(response, refusal.status, { message: refusal.message });
    });
  });
  boundConnections(server, {
    ...(bounds && { bounds }),
    isProxy: (address) => isAmong(proxies, address),
    // Its log has no line for each request, and so none for these.
    tell: () => undefined,
  });
  await listening(settings, 'CODEC_SERVER', (at) => once(server.listen(at), 'listening'));
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** Everything that the codec server serves. */
export const codecPaths = ['/', '/sign-in', '/decode', '/encode'] as const;
type CodecPath = (typeof codecPaths)[number];

class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function answering({ keys, origins, secret }: CodecServerSettings): Answer {
  const codec = new EncryptingCodec(keys);
  const signIn = new SignIn(secret);
  const convert =
    (convertAll: (payloads: Payload[]) => Promise<Payload[]>): Answer =>
    async (request, response) => {
      const { method, headers } = request;
      allowOrigin(headers.origin, origins, response);
      if (method === 'OPTIONS') return void response.writeHead(204).end();
      requireMethod('POST', request);
      if (!signIn.isKnown(known(headers)))
        throw new Refused(401, 'sign in at / with the secret, or send it as Authorization: Bearer …');
      const payloads = await askedOf(request);
      send(response, 200, { payloads: (await decipherable(convertAll(payloads))).map(toJson) });
    };
  const routes: Readonly<Record<CodecPath, Answer>> = {
    '/': async (request, response) => {
      requireMethod('GET', request);
      page(response);
    },
    '/sign-in': async (request, response) => {
      requireMethod('POST', request);
      await signedIn(request, response, signIn);
    },
    '/decode': convert((payloads) => codec.decode(payloads)),
    '/encode': convert((payloads) => codec.encode(payloads)),
  };
  return async (request, response) => {
    const path = codecPaths.find((each) => each === request.url?.split('?')[0]);
    if (!path) throw new Refused(404, 'there is nothing at this path; expected /decode or /encode');
    await routes[path](request, response);
  };
}

function requireMethod(expected: string, { method }: IncomingMessage): void {
  if (method !== expected) throw new Refused(405, `the method must be ${expected}`);
}

const known = ({ authorization, cookie }: IncomingMessage['headers']) => ({
  ...(authorization !== undefined && { authorization }),
  ...(cookie !== undefined && { cookie }),
});

/** A program sends no origin. A page of another origin gets no answer and no decryption. */
function allowOrigin(
  origin: string | undefined,
  origins: ReadonlySet<string>,
  response: ServerResponse,
): void {
  response.setHeader('vary', 'origin');
  if (origin === undefined) return;
  if (!origins.has(origin))
    throw new Refused(403, `pages of ${origin} may not ask; to let them, add it to CODEC_SERVER_ORIGINS`);
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader('access-control-allow-headers', 'authorization, content-type, x-namespace');
  response.setHeader('access-control-max-age', '600');
}

async function decipherable(converted: Promise<Payload[]>): Promise<Payload[]> {
  try {
    return await converted;
  } catch (error) {
    if (error instanceof UndecipherablePayload) throw new Refused(400, error.message);
    throw error;
  }
}

async function askedOf(request: IncomingMessage): Promise<Payload[]> {
  const body = (await bodyOf(request, BODY_LIMIT_BYTES)).toString();
  const { data } = askedPayloads.safeParse(jsonOf(body));
  if (!data)
    throw new Refused(
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

async function bodyOf(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > limit)
    throw new Refused(413, `the body must have a Content-Length of at most ${limit} bytes`);
  return await buffer(request);
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

function page(response: ServerResponse): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; form-action 'self'",
  };
  response.writeHead(200, headers).end(SIGN_IN_PAGE);
}

async function signedIn(request: IncomingMessage, response: ServerResponse, signIn: SignIn): Promise<void> {
  const given =
    new URLSearchParams((await bodyOf(request, SIGN_IN_LIMIT_BYTES)).toString()).get('secret') ?? '';
  if (!signIn.isSecret(given)) throw new Refused(401, 'this is not the secret of the codec server');
  const isSecure = request.headers['x-forwarded-proto'] === 'https';
  response.setHeader('set-cookie', signIn.cookie(isSecure));
  response
    .writeHead(200, { 'content-type': 'text/plain' })
    .end('Signed in. The Web UI shows what is encrypted now.\n');
}

function send(response: ServerResponse, status: number, body: object): void {
  const json = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(json);
}
