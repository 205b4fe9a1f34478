// Calls the service over real HTTP as a tenant would, and gives status, headers and body as they came.
import { type OperationName, operationRow, TOKEN_PATH, tokenResponse } from '../../contract/index.ts';

/** With these a worker or a command calls the service as the demo tenant. */
export const demoSettings = (address: string) => ({
  LOCKER_API_URL: address,
  LOCKER_AUTH_URL: address,
  LOCKER_CLIENT_ID: 'demo',
  LOCKER_CLIENT_SECRET: 'demo-secret',
});

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export async function accessToken(address: string, clientId = 'demo', clientSecret = `${clientId}-secret`) {
  const response = await fetch(address + TOKEN_PATH, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'integration_api',
    }),
  });
  return tokenResponse.parse(await response.json()).access_token;
}

export type Caller = (
  name: OperationName,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

/** Calls operations as one tenant. The body goes out as it is given, valid or not. */
export async function callerAs(address: string, clientId = 'demo', secret?: string): Promise<Caller> {
  return callerWith(address, await accessToken(address, clientId, secret));
}

export const callerWith =
  (address: string, token: string): Caller =>
  (name, body, headers = {}) =>
    post(address + operationRow(name).path, JSON.stringify(body), {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...headers,
    });

export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, headers: response.headers, body: await jsonObject(response) };
}

async function jsonObject(response: Response): Promise<Record<string, unknown>> {
  const value: unknown = await response.json();
  if (typeof value !== 'object' || value === null) throw new Error('Expected a JSON object as the answer');
  return { ...value };
}
