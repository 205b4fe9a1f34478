// Whoever reads something must learn soon that Temporal is away. Temporal's library tries a call again for twenty seconds, which
// is right for commands. A read that lasts is given up where Temporal does not answer the least question either.
import { grpcCodes, grpcFailureOf, isOutOfTime } from '../client/grpc-failure.ts';
import { type AtTemporal, temporalIsAway } from '../processes/at-temporal.ts';

/** No sooner: nearly all reads have their answer by then, and cost no question more. */
const ASKED_AFTER_MS = 1_000;
const ANSWERS_WITHIN_MS = 1_000;

export class TemporalPresence {
  readonly #client: AtTemporal['client'];
  /** All reads that wait share one question. */
  #asked: Promise<boolean> | undefined;

  constructor({ client }: Pick<AtTemporal, 'client'>) {
    this.#client = client;
  }

  /** What it reads; throws Refusal (unreachable) once Temporal is known to be away. */
  async whileThere<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const away = new Promise<never>((_, reject) => {
      timer = setTimeout(async () => {
        if (!(await this.#answers())) reject(temporalIsAway());
      }, ASKED_AFTER_MS);
    });
    try {
      return await Promise.race([read(), away]);
    } finally {
      clearTimeout(timer);
    }
  }

  #answers(): Promise<boolean> {
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  async #ask(): Promise<boolean> {
    const client = this.#client;
    try {
      await client.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
        client.workflowService.getSystemInfo({}),
      );
      return true;
    } catch (error) {
      const failure = grpcFailureOf(error);
      // Whatever else is wrong, the read itself says it better.
      return failure === null || !(failure.code === grpcCodes.unavailable || isOutOfTime(failure));
    }
  }
}
