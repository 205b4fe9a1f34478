// The locks that a process holds or waits for (`src: lock`), and its turns at rate limits (`src: rate`). What is open here and not
// asked for yet is asked for after the step, and what is not open any more is released, however its state was left.
import {
  type Procedure,
  type ProcedureHost,
  type ProcedureLogic,
  procedure,
} from '../../../engine/actor-kinds.ts';
import { isPartOfId } from '../correlation.ts';
import { durationMs } from '../duration.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { instantText } from '../expressions/moments.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import {
  LONGEST_KEY,
  LONGEST_PERIOD_MS,
  MAX_PERMITS,
  type Permit,
  type PermitMessage,
  type PermitRequest,
  type PermitSource,
} from '../permits.ts';
import type { Kit } from './kit.ts';
import type { Invocation } from './start.ts';

/** The event of a lock, as `<id>.acquired`. */
export const lockEvents = ['acquired'] as const;

/** With which code the invoke fails if too many processes wait for the same key. */
const TOO_MANY_WAIT = 'TooManyWait';

export const isPermit = (src: string): src is PermitSource => src === 'lock' || src === 'rate';

/** As `progress` shows it. */
export interface PermitOfProcess {
  /** Its invoke's id. */
  readonly id: string;
  readonly src: PermitSource;
  readonly key: string;
  /** How many may hold it at once, or get a permit in each period. */
  readonly limit: number;
  /** Only for a rate: the period, in milliseconds. */
  readonly perMs?: number;
  /** ISO 8601. */
  readonly since: string;
  /** Since when the process holds it; null while it waits, and for a rate. */
  readonly heldSince: string | null;
}

/** An open request, for a run that goes on with it; times in milliseconds since 1970. */
interface SavedRequest {
  readonly request: PermitRequest;
  readonly since: number;
  readonly heldSince?: number;
}

interface Open {
  kept: SavedRequest;
  readonly host: ProcedureHost;
}

export class Permits {
  readonly #open = new Map<string, Open>();
  /** What the queues have been asked for, by the id of the request. */
  readonly #asked = new Map<string, PermitRequest>();
  /** Permits of requests that are not known here, or not yet: a worker that was killed may have asked already. */
  readonly #givenBack = new Set<string>();
  readonly #newId: (invoke: string) => string;

  /** @param newId gives the id of a request: another one each time, and after a reset of the process too */
  constructor(newId: (invoke: string) => string) {
    this.#newId = newId;
  }

  get open(): PermitOfProcess[] {
    return [...this.#open.entries()].map(
      ([
        id,
        {
          kept: { request, since, heldSince },
        },
      ]) => {
        const { src, key, limit, perMs } = request;
        return {
          id,
          src,
          key,
          limit,
          ...(perMs !== undefined && { perMs }),
          since: instantText(since),
          heldSince: heldSince === undefined ? null : instantText(heldSince),
        };
      },
    );
  }

  /** A lock is kept until its state is left, also while a cancelled process tidies up. */
  logic(src: PermitSource): ProcedureLogic<Json, Invocation> {
    const logic = procedure<Json, Invocation>(src, (invocation, host, kept) =>
      this.#begin(invocation, host, kept as SavedRequest | undefined),
    );
    return { ...logic, procedure: { ...logic.procedure, heedsCancellation: src === 'rate' } };
  }

  /** False: the process does not want it any more, and it must be given back. */
  take({ id, isRefused }: Pick<Permit, 'id' | 'isRefused'>): boolean {
    // Not by the name of its invoke, which may be another one after a migration.
    const open = [...this.#open.values()].find(({ kept }) => kept.request.id === id);
    if (!open) {
      this.#givenBack.add(id);
      return isRefused === true;
    }
    const { kept, host } = open;
    if (isRefused) {
      this.#asked.delete(id);
      const message = `too many processes wait for ${kept.request.key}`;
      host.failed(Object.assign(new Error(message), { code: TOO_MANY_WAIT }));
    } else if (kept.heldSince === undefined) {
      open.kept = { ...kept, heldSince: host.now() };
      if (kept.request.src === 'rate') host.done(null);
      else host.event({ type: 'acquired' });
    }
    return true;
  }

  /** Whoever plays the process gives it the permit. False: it does not wait for one. */
  give(invoke: string): boolean {
    const { kept } = this.#open.get(invoke) ?? {};
    return kept !== undefined && kept.heldSince === undefined && this.take(kept.request);
  }

  /** What the queues must be told after a step. */
  messages(isOpen: boolean): PermitMessage[] {
    const wanted = isOpen ? [...this.#open.values()].map(({ kept }) => kept.request) : [];
    const ids = new Set(wanted.map(({ id }) => id));
    const left = [...this.#asked.values()].filter(({ id }) => !ids.has(id));
    const asked = wanted.filter(({ id }) => !this.#asked.has(id));
    for (const { id } of left) this.#asked.delete(id);
    for (const request of asked) this.#asked.set(request.id, request);
    return [
      ...left.map((request): PermitMessage => ({ kind: 'permit', request, isReleased: true })),
      ...asked.map((request): PermitMessage => ({ kind: 'permit', request, isReleased: false })),
    ];
  }

  #begin(invocation: Invocation, host: ProcedureHost, before?: SavedRequest): Procedure {
    const { id } = invocation;
    const kept = before ?? { request: this.#requestOf(invocation), since: host.now() };
    const open: Open = { kept, host };
    this.#open.set(id, open);
    // The former run has asked for it.
    if (before) this.#asked.set(before.request.id, before.request);
    return {
      end: () => {
        this.#forget(open);
        // A permit of a rate limit is used up.
        const { request, heldSince } = open.kept;
        if (request.src === 'rate' && heldSince !== undefined) this.#asked.delete(request.id);
      },
      kept: () => open.kept,
      // With the key that it began with: until its state is left, the process needs what it has.
      changed: (now) => {
        this.#forget(open);
        this.#open.set((now as Invocation).id, open);
      },
    };
  }

  /** Another one may have begun under its id since. */
  #forget(open: Open): void {
    for (const [id, each] of this.#open) if (each === open) this.#open.delete(id);
  }

  /** To ask again for what is given back would come to its queue before that: the queue would take it for the same request. */
  #freshId(invoke: string): string {
    for (;;) {
      const id = this.#newId(invoke);
      if (!this.#givenBack.delete(id)) return id;
    }
  }

  #requestOf({ id: invoke, src, input }: Invocation): PermitRequest {
    const { key, slots, most, per } = input as JsonObject;
    const perMs = durationMs(per);
    return {
      src: src as PermitSource,
      key: String(key),
      invoke,
      id: this.#freshId(invoke),
      limit: Number(src === 'lock' ? (slots ?? 1) : most),
      ...(perMs !== null && { perMs }),
    };
  }
}

/** Throws if the expressions of a lock or a rate do not give one. `written` is the input as it is written in the file. */
export function checkPermit(given: JsonObject, written: JsonObject, path: string, kit: Kit): void {
  const wrong = permitProblem(given);
  if (!wrong) return;
  const [field, expected] = wrong;
  const reason = `it gives ${JSON.stringify(given[field] ?? null).slice(0, 100)}, expected ${expected}`;
  throw kit.failed(
    new ExpressionFailure({
      code: 'ExpressionFailed',
      path: `${path}.${field}`,
      expression: String(written[field]),
      reason,
    }),
  );
}

/** What is wrong with its values, by the field. */
export function permitProblem({
  key = null,
  slots = 1,
  most = 1,
  per = 'PT1S',
}: JsonObject): readonly [field: string, expected: string] | undefined {
  const isKey = ['string', 'number', 'boolean'].includes(typeof key);
  if (!isKey || !isPartOfId(String(key), LONGEST_KEY))
    return ['key', `a whole text of 1 to ${LONGEST_KEY} characters, a number, true or false`];
  const isLimit = (value: Json) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_PERMITS;
  if (!isLimit(slots)) return ['slots', `a whole number from 1 to ${MAX_PERMITS}`];
  if (!isLimit(most)) return ['most', `a whole number from 1 to ${MAX_PERMITS}`];
  const perMs = durationMs(per);
  if (perMs === null || perMs < 1_000 || perMs > LONGEST_PERIOD_MS)
    return ['per', 'a duration from PT1S to P31D'];
  return undefined;
}
