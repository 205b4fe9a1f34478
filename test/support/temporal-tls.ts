// A guarded way to the run's Temporal server, as a hosted Temporal has one: TLS, a client's certificate, an API key. What
// passes is passed on as it is, and noted.
import { readFile } from 'node:fs/promises';
import {
  type ClientHttp2Session,
  connect,
  createSecureServer,
  constants as http2,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificates } from './certificates.ts';

export interface Caller {
  /** The common name of its certificate. */
  readonly client: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface GuardedTemporal extends AsyncDisposable {
  readonly address: string;
  /** Whose calls have come, let in or not. */
  readonly callers: readonly Caller[];
}

// gRPC's number (grpc/status).
const UNAUTHENTICATED = '16';

/** Lets in whoever has a certificate of the authority and this API key. */
export async function guardTemporal(
  address: string,
  { authority, server: own }: Certificates,
  apiKey: string,
): Promise<GuardedTemporal> {
  const callers: Caller[] = [];
  const server = createSecureServer({
    key: await readFile(own.key),
    cert: await readFile(own.certificate),
    ca: await readFile(authority),
    requestCert: true,
    rejectUnauthorized: true,
  });
  const inside = connect(`http://${address}`);
  // Those who are refused or killed end their connections as they like.
  server.on('sessionError', () => undefined);
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => void sessions.add(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    callers.push({ client: commonName(stream.session?.socket), headers });
    if (headers.authorization === `Bearer ${apiKey}`) pass(inside, stream, headers);
    else refuse(stream);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    callers,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      inside.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function commonName(socket: unknown): string | undefined {
  const name = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
  return Array.isArray(name) ? name[0] : name;
}

function pass(inside: ClientHttp2Session, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  const call = inside.request({ ...headers, [http2.HTTP2_HEADER_SCHEME]: 'http' });
  call.on('error', () => stream.destroy());
  stream.on('close', () => call.close());
  let trailers: IncomingHttpHeaders = {};
  call.on('trailers', (last) => {
    trailers = last;
  });
  call.on('response', (answer, flags) => {
    const endStream = (flags & http2.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(answer, endStream ? { endStream } : { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    if (!endStream) call.pipe(stream);
  });
  stream.pipe(call);
}

function refuse(stream: ServerHttp2Stream): void {
  const status = { 'grpc-status': UNAUTHENTICATED, 'grpc-message': 'the API key is unknown' };
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
}
