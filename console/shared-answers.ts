// What several ask for at about the same time is read once: pages ask again every few seconds, and Temporal must not have more
// work the more of them are open.
import type { FastifyInstance } from 'fastify';
import { KeptReads } from '../processes/kept-reads.ts';
import { localeNow } from '../shared/texts/text.ts';
import { currentRequester } from './heavy/fair-queue.ts';

const MAX_ENTRIES = 500;

export class SharedAnswers {
  readonly #reads = new KeptReads<unknown>(MAX_ENTRIES);

  /** Whoever asks while it is read, or within `forMs` after that, has the same answer. A failure is not kept. */
  async of<Answer>(what: string, forMs: number, read: () => Promise<Answer>): Promise<Answer> {
    // Answers may hold sentences: each language has its own. Read for nobody in particular: the first to ask may leave, others wait.
    return await this.#reads.of(`${localeNow()} ${what}`, () => currentRequester.exit(read), forMs);
  }

  /** Somebody has changed something: what they read next is as of then. */
  forget(): void {
    this.#reads.forget();
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
