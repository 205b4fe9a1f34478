// In whose name a request acts: Temporal keeps the caller with each request that changes a process, and a repeated request with
// the same Idempotency-Key is the same update.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKey,
  nameInOnBehalfOf,
  ON_BEHALF_OF_HEADER,
} from '../../contract/wire/request-headers.ts';
import type { CommandContext } from '../../processes/temporal-context.ts';
import { type Caller, requireRight } from '../access/rights.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ConsoleRefusal } from '../refusal.ts';

/** @param updateId of the update that the request leads to */
export function commandContextOf(
  parts: ConsoleParts,
  { caller, request, why }: ByWhom,
  updateId?: string,
): CommandContext & Pick<ReturnType<ConsoleParts['as']>, 'service'> {
  const { by: name, isProgram, id } = caller;
  const commandContext = parts.as({ name, isProgram, onBehalfOf: personOf(caller, request), id }, updateId);
  return {
    ...commandContext,
    why,
    updateId,
    may: (right, flow) => caller.may(right, flow ?? undefined),
    inboxes: {
      has: (inbox) => caller.may('answer', inbox),
      require: (inbox) => requireRight(caller, 'answer', inbox),
    },
  };
}

interface ByWhom {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly why?: string | undefined;
}

/** A program may say for whom it acts; that gives it no right. Throws ConsoleRefusal. */
function personOf({ by, isPerson }: Caller, { headers }: FastifyRequest): string | undefined {
  const header = headers[ON_BEHALF_OF_HEADER];
  if (header === undefined) return undefined;
  if (isPerson)
    throw new ConsoleRefusal(
      403,
      'OnBehalfOfPerson',
      `${by} is a person, and acts for nobody else: only programs may send ${ON_BEHALF_OF_HEADER}.`,
    );
  const name = nameInOnBehalfOf(String(header));
  if (name !== undefined) return name;
  throw new ConsoleRefusal(
    400,
    'InvalidRequest',
    `${ON_BEHALF_OF_HEADER} must be a name of 1 to 100 characters in percent-encoded UTF-8`,
    { [ON_BEHALF_OF_HEADER]: 'is no such name' },
  );
}

/** Throws ConsoleRefusal where a header that the route declares is wrong, also if the request turns out not to need it. */
export function checkHeaders(declared: readonly string[], by: ByWhom): void {
  if (declared.includes('IdempotencyKey')) keyOf(by.request);
  if (declared.includes('OnBehalfOf')) personOf(by.caller, by.request);
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const header = headers[IDEMPOTENCY_KEY_HEADER];
  if (header === undefined) return undefined;
  const { data, error } = idempotencyKey.safeParse(header);
  if (!error) return data;
  const wrong = 'must have 1 to 255 visible ASCII characters';
  throw new ConsoleRefusal(400, 'InvalidRequest', `Idempotency-Key ${wrong}`, {
    [IDEMPOTENCY_KEY_HEADER]: wrong,
  });
}

const MAX_ENTRIES = 10_000;
const REPEATABLE_MS = 24 * 3_600_000;

interface KeptAnswer {
  readonly request: string;
  readonly answer: Promise<unknown>;
}

/**
 * The answers of requests with an Idempotency-Key. They are kept by this console alone; beyond it, Temporal itself knows the
 * update by the id that is made of the key.
 */
export class IdempotentAnswers {
  readonly #kept = new LRUCache<string, KeptAnswer>({ max: MAX_ENTRIES, ttl: REPEATABLE_MS });

  /** @param what the request, as JSON; with the same key it must be the same */
  async once(
    { caller, request }: ByWhom,
    what: unknown,
    act: (updateId: string | undefined) => Promise<unknown>,
  ): Promise<unknown> {
    const given = keyOf(request);
    if (given === undefined) return await act(undefined);
    const name = hash([caller.id, given]);
    const same = hash(what);
    const before = this.#kept.get(name);
    if (before && before.request !== same)
      throw new ConsoleRefusal(
        422,
        'InvalidRequest',
        'This Idempotency-Key was used with another request; use a new key for each new request.',
      );
    if (before) return await before.answer;
    const answer = act(hash([name, same]));
    this.#kept.set(name, { request: same, answer });
    // A refusal is not kept: the same request may be possible later.
    answer.catch(() => this.#kept.delete(name));
    return await answer;
  }
}

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');
