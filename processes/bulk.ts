// A command for many processes: some at a time, stoppable, with an outcome for each. One that fails does not stop the others;
// who acts and why is kept by each process as for one alone.
import { type EachOptions, eachAtOnce } from './at-once.ts';
import type { Acting } from './at-temporal.ts';
import type { Command } from './commands/command.ts';
import { type Outcome, Refusal } from './outcome.ts';

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
  options?: EachOptions,
): AsyncGenerator<BulkOutcome<Did>, void, void> => each(keys, (key) => act(acting, key, input), options);

/** What would follow for each; nothing is changed. */
export const previewAll = <Input, Would>(
  { preview }: Of<Input> & Pick<Command<Input, Would, unknown>, 'preview'>,
  acting: Acting,
  keys: Iterable<string>,
  input: Input,
  options?: EachOptions,
): AsyncGenerator<BulkOutcome<Would>, void, void> =>
  each(keys, (key) => preview(acting, key, input), options);

async function* each<Value>(
  keys: Iterable<string>,
  act: (key: string) => Promise<Outcome<Value>>,
  options?: EachOptions,
): AsyncGenerator<BulkOutcome<Value>, void, void> {
  for await (const { item: key, outcome } of eachAtOnce(new Set(keys), act, options))
    yield {
      key,
      outcome: outcome.done ? outcome.value : { done: false, refusal: unforeseen(outcome.error) },
    };
}

/** A defect that one process shows must not hide what became of the others. */
const unforeseen = (cause: unknown): Refusal =>
  new Refusal('failed', 'Failed', cause instanceof Error ? cause.message : String(cause), { cause });
