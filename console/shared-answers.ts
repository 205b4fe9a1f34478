// What several ask for at about the same time is read once: pages ask again every few seconds, and Temporal must not have more
// work the more of them are open.
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { localeNow } from '../shared/texts/text.ts';
import { currentRequester } from './heavy/fair-queue.ts';

const MAX_ENTRIES = 500;

export class SharedAnswers {
  readonly #kept = new LRUCache<string, Promise<unknown>>({ max: MAX_ENTRIES });

  /** Whoever asks while it is read, or within `forMs` after that, has the same answer. A failure is not kept. */
  async of<Answer>(what: string, forMs: number, read: () => Promise<Answer>): Promise<Answer> {
    // It may hold sentences.
    const name = `${localeNow()} ${what}`;
    const before = this.#kept.get(name);
    if (before) return (await before) as Answer;
    // In nobody's name: whoever asked first may go, and the others still wait.
    const reading = currentRequester.exit(read);
    this.#kept.set(name, reading);
    const isKept = () => this.#kept.peek(name) === reading;
    reading.then(
      () => isKept() && this.#kept.set(name, reading, { ttl: forMs }),
      () => isKept() && this.#kept.delete(name),
    );
    return await reading;
  }

  /** Somebody has changed something: what they read next is as of then. */
  forget(): void {
    this.#kept.clear();
  }
}

/** A change shows at once. What was refused, or only previewed, has changed nothing: it must not cost Temporal more reads. */
export function forgetAfterChanges(app: FastifyInstance, shared: SharedAnswers): void {
  const mayHaveChanged = (status: number) => status < 400 || status >= 500;
  app.addHook('onSend', async ({ method, query }, { statusCode }) => {
    if (method !== 'POST' || !mayHaveChanged(statusCode)) return;
    if ((query as { dryRun?: unknown }).dryRun !== 'true') shared.forget();
  });
}
