// The updates that a process takes. Temporal refuses an update for which a task sets no handler: one that comes before the process has
// begun, as with an Update-with-Start, waits here for that, and is then judged as any other.
import {
  ApplicationFailure,
  currentUpdateInfo,
  defineUpdate,
  setDefaultUpdateHandler,
  setHandler,
} from '@temporalio/workflow';
import type { Rejection } from '../commands.ts';
import type { Reply } from '../inbox.ts';

export interface UpdateHandler {
  refusal(payload: unknown): Rejection | undefined;
  take(payload: unknown, updateId: string, reply: Reply): void;
}

export class Updates {
  readonly #handlers = new Map<string, UpdateHandler>();
  readonly #held: HeldUpdate[] = [];
  #isHolding = false;

  /** In the place of a former handler of that name. */
  set(name: string, description: string, handler: UpdateHandler): void {
    this.#handlers.set(name, handler);
    setHandler(defineUpdate<unknown, [unknown]>(name), (payload) => taken(handler, payload), {
      description,
      // An update that is rejected here is not in the history.
      validator: (payload) => throwRefused(handler.refusal(payload)),
    });
  }

  /** From now on updates without a handler wait, until the process has begun or failed to. */
  hold(): void {
    this.#isHolding = true;
    setDefaultUpdateHandler(async (name, payload) => {
      await new Promise<void>((begin, fail) => this.#held.push({ begin, fail }));
      const handler = this.#handlers.get(name);
      if (!handler) throw ApplicationFailure.nonRetryable(`No registered handler for update: ${name}`);
      throwRefused(handler.refusal(payload));
      return await taken(handler, payload);
    });
  }

  begin(): void {
    for (const { begin } of this.#released()) begin();
  }

  fail(error: unknown): void {
    for (const { fail } of this.#released()) fail(error);
  }

  #released(): readonly HeldUpdate[] {
    if (this.#isHolding) setDefaultUpdateHandler(undefined);
    this.#isHolding = false;
    return this.#held.splice(0);
  }
}

interface HeldUpdate {
  begin(): void;
  fail(error: unknown): void;
}

const taken = ({ take }: UpdateHandler, payload: unknown): Promise<unknown> =>
  new Promise((answer, reject) =>
    take(payload, updateIdNow(), { answer, refuse: (refused) => reject(failureOf(refused)) }),
  );

const failureOf = ({ code, message, details }: Rejection) =>
  ApplicationFailure.nonRetryable(message, code, ...(details === undefined ? [] : [details]));

export function throwRefused(refusal: Rejection | undefined): void {
  if (refusal) throw failureOf(refusal);
}

export function updateIdNow(): string {
  const info = currentUpdateInfo();
  if (!info) throw new TypeError('an update handler runs outside an update');
  return info.id;
}
