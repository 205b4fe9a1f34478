// Checks client secrets against their slow hashes, and remembers which ones matched, so that the slow hash is paid once
// per secret and process and not once per token. A revoked secret stops matching as soon as its hash is gone.
import { createHmac, randomBytes } from 'node:crypto';
import { tooManyRequests } from '../rate-limit.ts';
import type { ApiClient } from './api-clients.ts';
import { hashClientSecret, matchesClientSecret } from './client-secret.ts';

// Each needs 16 MiB and some 30 ms of one core: more at a time would only wait for the cores.
const HASHES_AT_ONCE = 2;
// Some 1.5 s of waiting; whoever comes then is told to try again, so that a flood cannot pile up.
const MAXIMUM_WAITING = 100;
// More secrets than any installation has in use at a time; each entry has some 300 bytes.
const MAXIMUM_REMEMBERED = 10_000;

export class VerifiedSecrets {
  // Secrets are remembered under a keyed hash with a key that no other process has, never as they are.
  readonly #key = randomBytes(32);
  readonly #matched = new Map<string, string>();
  readonly #unmatched = hashClientSecret(randomBytes(32).toString('hex'));
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  async matches(client: ApiClient | undefined, secret: string): Promise<boolean> {
    if (client && this.isKnown(client, secret)) return true;
    if (this.#waiting.length >= MAXIMUM_WAITING) throw tooManyRequests(1);
    await this.#turn();
    try {
      return await this.#check(client, secret);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Whether the secret matched before, and what it matched is still one of the client's. Costs microseconds. */
  isKnown(client: ApiClient, secret: string): boolean {
    const hash = this.#matched.get(this.#rememberedAs(client, secret));
    return hash !== undefined && client.secretHashes.includes(hash);
  }

  async #check(client: ApiClient | undefined, secret: string): Promise<boolean> {
    // Another request with the same secret may have been first while this one waited.
    if (client && this.isKnown(client, secret)) return true;
    // An unknown client costs the same time as a known one: its answer must not tell which clients exist.
    if (!client) return (await matchesClientSecret(secret, await this.#unmatched)) && false;
    for (const hash of client.secretHashes)
      if (await matchesClientSecret(secret, hash)) {
        this.#remember(this.#rememberedAs(client, secret), hash);
        return true;
      }
    return false;
  }

  #rememberedAs({ clientId }: ApiClient, secret: string): string {
    return createHmac('sha256', this.#key).update(`${clientId}\0${secret}`).digest('base64');
  }

  #remember(name: string, hash: string): void {
    const oldest = this.#matched.keys().next();
    if (this.#matched.size >= MAXIMUM_REMEMBERED && !oldest.done) this.#matched.delete(oldest.value);
    this.#matched.set(name, hash);
  }

  async #turn(): Promise<void> {
    this.#running += 1;
    if (this.#running > HASHES_AT_ONCE) await new Promise<void>((go) => this.#waiting.push(go));
  }
}
