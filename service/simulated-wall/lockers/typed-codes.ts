// The codes that people have typed and that still wait for their door. In memory alone: a code is on no disk, and its
// person has gone after a while.

import { LRUCache } from 'lru-cache';
import {
  CODE_LIVES_MS,
  type JournalMessage,
  type ServiceMessage,
  type unlockGoals,
  WRONG_CODES,
} from '../../../contract/wall/wall-messages.ts';

type CodeTyped = Extract<JournalMessage, { type: 'codeTyped' }>;
type CodeAnswered = Extract<ServiceMessage, { type: 'codeAnswered' }>;
export type Outcome = 'opened' | 'failed';

/** What a code opens, if its door does open. */
export type Opening = NonNullable<CodeAnswered['opens']>;

interface Waiting {
  readonly message: CodeTyped;
  readonly settle: (answer: TypedAnswer) => void;
  opening?: Opening;
}

// The service answers within 5 s; after a connection was lost and found, some seconds more.
const PATIENCE_MS = 15_000;
// An outcome may come before the answer that names its command.
const MAX_OUTCOMES = 1_000;
const MAX_WAITING = 100;

export class TypedCodes {
  readonly #waiting = new Map<number, Waiting>();
  readonly #outcomes = new LRUCache<string, Outcome>({ max: MAX_OUTCOMES });
  readonly #describe: (outcome: Outcome, opening: Opening) => TypedAnswer;
  readonly #patienceMs: number;

  /** @param describe what the person is told of the door */
  constructor(describe: (outcome: Outcome, opening: Opening) => TypedAnswer, patienceMs = PATIENCE_MS) {
    this.#describe = describe;
    this.#patienceMs = patienceMs;
  }

  /** Gives what becomes of the code, in the end `noAnswer`. */
  wait(message: CodeTyped): Promise<TypedAnswer> {
    if (this.#waiting.size >= MAX_WAITING) return Promise.resolve({ outcome: 'failed' });
    const { promise, resolve } = Promise.withResolvers<TypedAnswer>();
    const timer = setTimeout(() => settle({ outcome: 'noAnswer' }), this.#patienceMs);
    const settle = (answer: TypedAnswer) => {
      clearTimeout(timer);
      this.#waiting.delete(message.id);
      resolve(answer);
    };
    this.#waiting.set(message.id, { message, settle });
    return promise;
  }

  /** Those to send, or to send again: not answered yet, and their person is still there. */
  alive(now: number): readonly CodeTyped[] {
    return [...this.#waiting.values()]
      .filter(({ message, opening }) => !opening && Date.parse(message.at) > now - CODE_LIVES_MS)
      .map(({ message }) => message);
  }

  /** @param now by the service's clock */
  answered({ id, opens, error, retryAt }: CodeAnswered, now: number): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (opens) {
      waiting.opening = opens;
      this.#settleOpened(opens.commandId);
    } else waiting.settle(refusalOf(error, retryAt, now));
  }

  /** What became of a command, whoever asked for it. */
  happened(commandId: string, outcome: Outcome): void {
    this.#outcomes.set(commandId, outcome);
    this.#settleOpened(commandId);
  }

  #settleOpened(commandId: string): void {
    const outcome = this.#outcomes.get(commandId);
    if (!outcome) return;
    for (const { opening, settle } of [...this.#waiting.values()])
      if (opening?.commandId === commandId) settle(this.#describe(outcome, opening));
  }

  close(): void {
    for (const { settle } of [...this.#waiting.values()]) settle({ outcome: 'noAnswer' });
  }
}

function refusalOf(error: CodeAnswered['error'], retryAt: CodeAnswered['retryAt'], now: number): TypedAnswer {
  if (retryAt != null) return { outcome: 'tooMany', waitMs: Math.max(0, Date.parse(retryAt) - now) };
  if (error === 'RateLimitExceeded') return { outcome: 'tooMany', waitMs: WRONG_CODES.refillMs };
  // Without an error code the code opens no door, which is what a wrong one does.
  return { outcome: error == null || error === 'InvalidAccessCode' ? 'wrong' : 'failed' };
}

export type Goal = (typeof unlockGoals)[number];

/** What becomes of a code that a person typed. */
export type TypedAnswer =
  | {
      readonly outcome: 'opened';
      readonly lockerUid: string;
      readonly lockerName: string;
      /** What the person came for. */
      readonly goal: Goal;
      /** What the person sees; the wall believes that it is open. */
      readonly door: 'open' | 'closed';
    }
  | { readonly outcome: 'stuck'; readonly lockerName: string }
  /** No code is looked at before this time has passed. */
  | { readonly outcome: 'tooMany'; readonly waitMs: number }
  | { readonly outcome: 'wrong' | 'failed' | 'offline' | 'noAnswer' };
