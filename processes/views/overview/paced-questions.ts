// What a view asks Temporal's search again and again: few questions a second, one after the other, with the last answers kept.
// Temporal allows all clients of a namespace a few questions together and refuses the others, also those of people.
import { LRUCache } from 'lru-cache';
import { Pace } from '../../../shared/routing/pace.ts';

/** One of a view's questions, which has no answer at first. */
export interface Question<Answer extends NonNullable<unknown>> {
  readonly name: string;
  readonly ask: () => Promise<Answer>;
  /** How long its answer is good enough. */
  readonly goodForMs: number | ((answer: Answer) => number);
}

interface CacheEntry {
  readonly answer: unknown;
  readonly goodUntil: number;
}

const MAX_KEPT = 50_000;
/** When nobody has looked for so long, what is still to be asked is forgotten. */
const FORGOTTEN_AFTER_MS = 20_000;

export class PacedQuestions {
  readonly #pace: Pace;
  readonly #cache = new LRUCache<string, CacheEntry>({ max: MAX_KEPT });
  /** By name, in the order in which they are asked. */
  readonly #toAsk = new Map<string, Question<NonNullable<unknown>>>();
  #asking: Promise<void> | undefined;
  #wantedAt = 0;

  constructor(perSecond: number) {
    this.#pace = new Pace(perSecond);
  }

  /** The last answer; where it is old or missing, the question is asked in its turn. */
  last<Answer extends NonNullable<unknown>>(question: Question<Answer>): Answer | undefined {
    this.#wantedAt = Date.now();
    const kept = this.#cache.get(question.name);
    if (!kept || Date.now() >= kept.goodUntil) {
      if (!this.#toAsk.has(question.name))
        this.#toAsk.set(question.name, question as unknown as Question<NonNullable<unknown>>);
      this.#asking ??= this.#askAll();
    }
    return kept?.answer as Answer | undefined;
  }

  get isBusy(): boolean {
    return this.#asking !== undefined;
  }

  /** When everything is asked, or after this time. */
  async idle(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, withinMs)).unref();
    });
    await Promise.race([this.#asking, late]);
    clearTimeout(timer);
  }

  async #askAll(): Promise<void> {
    for (const [name, { ask, goodForMs }] of this.#toAsk) {
      await this.#pace.turn();
      if (Date.now() - this.#wantedAt > FORGOTTEN_AFTER_MS) this.#toAsk.clear();
      else {
        // What fails is asked again when somebody looks again; until then its last answer is the best that is known.
        const answer = await ask().catch(() => undefined);
        if (answer !== undefined) {
          const goodFor = typeof goodForMs === 'number' ? goodForMs : goodForMs(answer);
          this.#cache.set(name, { answer, goodUntil: Date.now() + goodFor });
        }
        this.#toAsk.delete(name);
      }
    }
    this.#asking = undefined;
  }
}
