// A program that calls the API of processes with a token, as any service without Temporal would.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, vi } from 'vitest';
import type { Problem } from '../../../console/api/problem.ts';
import { TOKEN_PATH } from '../../../contract/index.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import type { Installation } from '../../end-to-end/installation.ts';
import { writtenByService } from '../../support/service-command.ts';
import type { TestConsole } from '../console-world.ts';

export interface Answered<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Program {
  readonly token: string;
  get<Body = Record<string, unknown>>(path: string, headers?: Headers_): Promise<Answered<Body>>;
  post<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers?: Headers_,
  ): Promise<Answered<Body>>;
}
type Headers_ = Readonly<Record<string, string>>;

export async function tokenOf(
  service: string,
  clientId: string,
  secret: string,
  scope?: string,
): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
    ...(scope !== undefined && { scope }),
  });
  const answer = await fetch(service + TOKEN_PATH, { method: 'POST', body: form });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`${clientId} gets no token`);
  return token;
}

/** The demo tenant's client, with these scopes or all. */
export const demoToken = (service: string, scope?: string): Promise<string> =>
  tokenOf(service, 'demo-flows', 'demo-flows-secret', scope);

/** A client that the operator makes. */
export async function newClientToken(
  service: { readonly address: string; readonly url: string },
  clientId: string,
  ...scopes: readonly string[]
): Promise<string> {
  const words = [
    '--json',
    'client',
    'create',
    'demo',
    clientId,
    ...scopes.flatMap((each) => ['--scope', each]),
  ];
  const { SERVICE_ENCRYPTION_KEY } = process.env;
  const written = await writtenByService(words, { DATABASE_URL: service.url, SERVICE_ENCRYPTION_KEY });
  const { clientSecret } = JSON.parse(written) as { clientSecret: string };
  return await tokenOf(service.address, clientId, clientSecret);
}

export function programOf(address: string, token: string): Program {
  const asked = async (path: string, init: RequestInit) => {
    const answer = await fetch(address + path, init);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : null };
  };
  const authorization = `Bearer ${token}`;
  return {
    token,
    get: (path, headers = {}) => asked(path, { headers: { authorization, ...headers } }),
    post: (path, body, headers = {}) =>
      asked(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization, 'content-type': 'application/json', ...headers },
      }),
  };
}

/** Programs for a file of tests, each by a client that the operator makes. */
export const clientsOf =
  (server: () => TestConsole, installation: () => Installation) =>
  async (clientId: string, ...scopes: readonly string[]): Promise<Program> =>
    programOf(server().address, await newClientToken(installation().service, clientId, ...scopes));

/** With all rights of the demo tenant, for a file of tests; requests go to the console as it is then. */
export function useProgram(server: () => TestConsole, installation: () => Installation): () => Program {
  let program: Program | undefined;
  beforeAll(async () => {
    program = programOf(server().address, await demoToken(installation().service.address));
  });
  return () => {
    if (!program) throw new TypeError('the program has its token before the first test, not before');
    return program;
  };
}

export const codeOf = ({ status, body }: Answered<unknown>): string => `${status} ${(body as Problem).code}`;

export const patience = { timeout: 60_000, interval: 50 };
export const keyOf = (kind: string): string => `${kind}-${randomUUID()}`;
export const pathOfProcess = (key: string, more = ''): string =>
  `/v1/processes/${encodeURIComponent(key)}${more}`;

/** What the program reads of a process, now or once it is so. */
export function processesOf(program: () => Program) {
  const read = async (key: string): Promise<ShownProcess> => {
    const { status, body } = await program().get<ShownProcess>(pathOfProcess(key));
    expect(status).toBe(200);
    return body;
  };
  const until = (key: string, isSo: (shown: ShownProcess) => boolean) =>
    vi.waitUntil(async () => {
      const shown = await read(key);
      return isSo(shown) && shown;
    }, patience);
  return { read, until };
}
