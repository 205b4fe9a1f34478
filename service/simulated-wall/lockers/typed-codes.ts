// The codes that people have typed and that still wait for their door. In memory alone: a code is on no disk, and its
// person has gone after a while.

import { type ScryptOptions, scrypt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import {
  CODE_LIVES_MS,
  type JournalMessage,
  type OfflineList,
  offlineListPayload,
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
  /** Commands that a code typed here has asked for. */
  readonly #askedHere = new LRUCache<string, true>({ max: MAX_OUTCOMES });
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
    if (opens) this.#askedHere.set(opens.commandId, true);
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (opens) {
      waiting.opening = opens;
      this.#settleOpened(opens.commandId);
    } else waiting.settle(refusalOf(error, retryAt, now));
  }

  isAskedHere(commandId: string): boolean {
    return this.#askedHere.get(commandId) ?? false;
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

// Codes that people type while there is no connection: what the offline list in the wall's memory allows, as pure functions.
// The list holds slow hashes of codes, and no code.

// The clock of a wall and that of the service may differ a little more than when the list came.
const CLOCKS_DIFFER_MS = 300_000;

export const offlineMemory = z.object({
  list: offlineListPayload,
  /** By how much the clock of the service was before the wall's when the list came. */
  aheadMs: z.number(),
  /** Entries that have opened their door, and do so once. */
  used: z.array(z.string()),
});
type OfflineMemory = Readonly<z.infer<typeof offlineMemory>>;
export type OfflineEntry = OfflineList['entries'][number];

/** Counted for the wall, not for its list: whoever pulls the cable, or waits for another list, gets no further tries. */
export const triedCodes = z.object({
  /** How many wrong codes could still be typed then. */
  allowed: z.number(),
  countedAt: z.iso.datetime(),
  /** Since the journal began, without a connection: what the service is told. */
  wrongOffline: z.int(),
});
export type TriedCodes = Readonly<z.infer<typeof triedCodes>>;

export const noneTried: TriedCodes = {
  allowed: WRONG_CODES.most,
  countedAt: new Date(0).toISOString(),
  wrongOffline: 0,
};

/** An entry that was used up stays so in a later list: the service may not have heard of it yet. */
export function withList(
  former: OfflineMemory | null,
  list: OfflineList,
  aheadMs: number,
): OfflineMemory | null {
  if (former && Date.parse(former.list.issuedAt) > Date.parse(list.issuedAt)) return former;
  const listed = new Set(list.entries.map(({ entryId }) => entryId));
  const used = (former?.used ?? []).filter((entryId) => listed.has(entryId));
  return { list, aheadMs, used };
}

/** `now` by the clock of the wall. A clock that was put back before the list was made does not prolong it. */
export function isValid({ list, aheadMs }: OfflineMemory, now: number): boolean {
  const there = now + aheadMs;
  return there < Date.parse(list.expiresAt) && there > Date.parse(list.issuedAt) - CLOCKS_DIFFER_MS;
}

/** A clock that was put back gives no further tries. */
function allowedNow({ allowed, countedAt }: TriedCodes, now: number): number {
  const elapsedMs = Math.max(0, now - Date.parse(countedAt));
  return Math.min(WRONG_CODES.most, allowed + elapsedMs / WRONG_CODES.refillMs);
}

/** How long no code is taken; 0 while one is. */
export const closedForMs = (tried: TriedCodes, now: number): number =>
  Math.max(0, Math.ceil((1 - allowedNow(tried, now)) * WRONG_CODES.refillMs));

/** One that the service refused counts too: else the cable would give as many tries again. */
export const countedOnline = (tried: TriedCodes, now: number): TriedCodes => ({
  ...tried,
  allowed: Math.max(0, allowedNow(tried, now) - 1),
  countedAt: new Date(now).toISOString(),
});

/** Counted before the code is looked at: who cuts the power meanwhile has not tried for nothing. */
export const counted = (tried: TriedCodes, now: number): TriedCodes => ({
  ...countedOnline(tried, now),
  wrongOffline: tried.wrongOffline + 1,
});

/** The code that was counted last is in the list, or the service judges it. */
export const uncounted = (tried: TriedCodes): TriedCodes => ({
  ...tried,
  allowed: tried.allowed + 1,
  wrongOffline: tried.wrongOffline - 1,
});

export const opened = (memory: OfflineMemory, { entryId, once }: OfflineEntry): OfflineMemory => ({
  ...memory,
  used: once ? [...memory.used, entryId] : memory.used,
});

/** Some 0.2 s of work beside the wall's own. */
export async function entryOf({ list }: OfflineMemory, code: string): Promise<OfflineEntry | undefined> {
  const codeHash = await slowHash(list, code);
  return list.entries.find((entry) => entry.codeHash === codeHash);
}

export const isUsedUp = ({ used }: OfflineMemory, { entryId }: OfflineEntry): boolean =>
  used.includes(entryId);

function slowHash(
  { salt, scrypt: { N, r, p, bytes } }: Pick<OfflineList, 'salt' | 'scrypt'>,
  code: string,
): Promise<string> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(code, salt, bytes, options, (error, key) =>
      error ? reject(error) : resolve(key.toString('base64url')),
    );
  });
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
