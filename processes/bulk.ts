// A command for many processes: some at a time and so many in a second, stoppable, with an outcome for each. One that fails does
// not stop the others; who acts and why is kept by each process as for one alone.
import { eachAtOnce } from './at-once.ts';
import type { Acting } from './at-temporal.ts';
import type { Command } from './commands/command.ts';
import { type Outcome, Refusal } from './outcome.ts';

/**
 * Processes in a second. A bulk of thousands must leave Temporal, the workers and the locker service to everybody else: each of them
 * costs a few calls of each.
 */
export const bulkRate = { usual: 20, most: 200 } as const;
/** One that takes long, as without a worker, must not gather more than this. */
const AT_ONCE = 16;

export interface BulkOptions {
  /** It begins no more processes. */
  readonly interrupted?: AbortSignal | undefined;
  readonly perSecond?: number | undefined;
}

export interface BulkOutcome<Value> {
  readonly key: string;
  readonly outcome: Outcome<Value>;
}

type Of<Input> = Pick<Command<Input, unknown, unknown>, 'name'>;

/** In the order of completion. After an interruption it starts no more, and leaves these out. */
export const doAll = <Input, Did>(
  { do: act }: Of<Input> & Pick<Command<Input, unknown, Did>, 'do'>,
  acting: Acting,
  keys: Iterable<string>,
  input: Input,
  options?: BulkOptions,
): AsyncGenerator<BulkOutcome<Did>, void, void> => each(keys, (key) => act(acting, key, input), options);

/** What would follow for each; nothing is changed. */
export const previewAll = <Input, Would>(
  { preview }: Of<Input> & Pick<Command<Input, Would, unknown>, 'preview'>,
  acting: Acting,
  keys: Iterable<string>,
  input: Input,
  options?: BulkOptions,
): AsyncGenerator<BulkOutcome<Would>, void, void> =>
  each(keys, (key) => preview(acting, key, input), options);

async function* each<Value>(
  keys: Iterable<string>,
  act: (key: string) => Promise<Outcome<Value>>,
  { interrupted, perSecond = bulkRate.usual }: BulkOptions = {},
): AsyncGenerator<BulkOutcome<Value>, void, void> {
  const options = { interrupted, perSecond, atOnce: AT_ONCE };
  for await (const { item: key, outcome } of eachAtOnce(new Set(keys), act, options))
    yield {
      key,
      outcome: outcome.done ? outcome.value : { done: false, refusal: unforeseen(outcome.error) },
    };
}

/** A defect that one process shows must not hide what became of the others. */
const unforeseen = (cause: unknown): Refusal =>
  new Refusal('failed', 'Failed', cause instanceof Error ? cause.message : String(cause), { cause });
