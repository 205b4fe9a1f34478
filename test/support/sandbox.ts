// Calls /sandbox over real HTTP as one tenant.
import { accessToken, type Reply } from './caller.ts';

export type Sandbox = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Reply>;

export async function sandboxAs(address: string, clientId = 'demo'): Promise<Sandbox> {
  const authorization = `Bearer ${await accessToken(address, clientId)}`;
  return async (method, path, body) => {
    const response = await fetch(`${address}/sandbox/${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const value: unknown = await response.json();
    if (typeof value !== 'object' || value === null) throw new Error('Expected a JSON object as the answer');
    return { status: response.status, headers: response.headers, body: { ...value } };
  };
}
