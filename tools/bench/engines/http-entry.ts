// POSTs JSON to an engine whose public entry is HTTP.
import { Pool } from 'undici';

export interface HttpEntry extends AsyncDisposable {
  /** The JSON of the answer; throws unless it is 2xx. */
  post(path: string, body: unknown): Promise<unknown>;
}

// As many flows at once, each with a result that is waited for and a report.
const CONNECTIONS = 128;

export function httpEntry(address: string): HttpEntry {
  const pool = new Pool(address, { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 });
  return {
    async post(path, body) {
      const { statusCode, body: answer } = await pool.request({
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const said = await answer.text();
      if (statusCode < 200 || statusCode > 299) throw new Error(`POST ${path}: ${statusCode} ${said}`);
      return said === '' ? null : JSON.parse(said);
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}
