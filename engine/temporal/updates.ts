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

/** Of one update, or of several that differ in their names alone. */
export interface UpdateHandler {
  refusal(payload: unknown, name: string): Rejection | undefined;
  take(payload: unknown, update: GivenUpdate, reply: Reply): void;
}

interface GivenUpdate {
  readonly id: string;
  readonly name: string;
}

export class Updates {
  readonly #handlers = new Map<string, UpdateHandler>();
  readonly #held: HeldUpdate[] = [];
  #isHolding = false;
  // The same for all names: a cached process keeps what is made for each of them.
  readonly #take = (payload: unknown) => taken(this.#handlerNow, payload);
  // An update that is rejected here is not in the history.
  readonly #validate = (payload: unknown) =>
    throwRefused(this.#handlerNow.refusal(payload, updateNow().name));

  /**
   * In the place of former handlers of those names.
   * @param updates the names, with their descriptions
   */
  set(updates: Readonly<Record<string, string>>, handler: UpdateHandler): void {
    for (const [name, description] of Object.entries(updates)) {
      this.#handlers.set(name, handler);
      const options = { description, validator: this.#validate };
      setHandler(defineUpdate<unknown, [unknown]>(name), this.#take, options);
    }
  }

  get #handlerNow(): UpdateHandler {
    const { name } = updateNow();
    const handler = this.#handlers.get(name);
    if (!handler) throw ApplicationFailure.nonRetryable(`No registered handler for update: ${name}`);
    return handler;
  }

  /** From now on updates without a handler wait, until the process has begun or failed to. */
  hold(): void {
    this.#isHolding = true;
    setDefaultUpdateHandler(async (_, payload) => {
      await new Promise<void>((begin, fail) => this.#held.push({ begin, fail }));
      this.#validate(payload);
      return await this.#take(payload);
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
    take(payload, updateNow(), { answer, refuse: (refused) => reject(failureOf(refused)) }),
  );

const failureOf = ({ code, message, details }: Rejection) =>
  ApplicationFailure.nonRetryable(message, code, ...(details === undefined ? [] : [details]));

export function throwRefused(refusal: Rejection | undefined): void {
  if (refusal) throw failureOf(refusal);
}

export function updateNow(): GivenUpdate {
  const info = currentUpdateInfo();
  if (!info) throw new TypeError('an update handler runs outside an update');
  return info;
}
