// Somebody at the console, who acts over its HTTP API with a session of their own.
import { makeLink } from '../../client/sign-in-links.ts';

const VALID_MS = 12 * 3_600_000;

/** The address that signs this person in, once. */
export function linkFor(home: string, name: string): string {
  const roles = ['look', 'decide'] as const;
  const { secret, address } = makeLink(home, {
    name,
    by: 'morning',
    roles: [...roles],
    inboxes: [],
    endsAt: Date.now() + VALID_MS,
  });
  return `${address}/#sign-in=${secret}`;
}

export class ConsoleUser {
  readonly #address: string;
  readonly #cookie: string;

  private constructor(address: string, cookie: string) {
    this.#address = address;
    this.#cookie = cookie;
  }

  static async signedIn(home: string, name: string): Promise<ConsoleUser> {
    const { origin, hash } = new URL(linkFor(home, name));
    const secret = hash.slice('#sign-in='.length);
    const answer = await posted(`${origin}/api/sign-in/link`, { secret }, { origin });
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    return new ConsoleUser(origin, cookie);
  }

  async command(key: string, name: string, fields: object): Promise<void> {
    await this.#post(`/v1/processes/${encodeURIComponent(key)}/commands/${name}`, fields);
  }

  async answer(key: string, question: string, values: object): Promise<void> {
    await this.#post(`/v1/processes/${encodeURIComponent(key)}/answers`, { question, values });
  }

  async event(key: string, type: string, data: unknown): Promise<void> {
    await this.#post(`/v1/processes/${encodeURIComponent(key)}/events`, { type, data });
  }

  async #post(path: string, body: object): Promise<void> {
    await posted(`${this.#address}${path}`, body, { origin: this.#address, cookie: this.#cookie });
  }
}

async function posted(url: string, body: object, headers: Record<string, string>): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
