// A command for many processes: some at a time and so many in a second, stoppable, with an outcome for each. One that fails does
// not stop the others; who acts and why is kept by each process as for one alone.
import { partsAmong } from '../flows/language/part-keys.ts';
import { eachAtOnce } from './at-once.ts';
import { CommandError, type Outcome } from './outcome.ts';

/**
 * Processes in a second. A bulk of thousands must leave Temporal, the workers and the locker service to everybody else: each of them
 * costs a few calls of each. A batch is nearer to Temporal, and waits for nobody's network.
 */
export const bulkRate = { usual: 20, most: 200, mostOfBatch: 1_000 } as const;

interface BulkOptions {
  /** Once aborted, no further process is acted on; those already begun finish. */
  readonly interrupted?: AbortSignal | undefined;
  readonly perSecond?: number | undefined;
}

interface BulkOutcome<Value> {
  readonly key: string;
  readonly outcome: Outcome<Value>;
}

/** Those that have parts among them, and then the others: a process says which part takes what is done before that part does it. */
export function wholesFirst(
  keys: readonly string[],
  parts = partsAmong(keys),
): readonly [wholes: string[], others: string[]] {
  return [keys.filter((key) => parts.has(key)), keys.filter((key) => !parts.has(key))];
}

/**
 * Outcomes in the order of completion, one for each key; `act` is told which of them are parts of a process. After an interruption, the keys not begun have no outcome.
 */
export async function* forMany<Value>(
  keys: Iterable<string>,
  act: (key: string, parts?: readonly string[]) => Promise<Outcome<Value>>,
  { interrupted, perSecond = bulkRate.usual }: BulkOptions = {},
): AsyncGenerator<BulkOutcome<Value>, void, void> {
  const all = [...new Set(keys)];
  const parts = partsAmong(all);
  const one = (key: string) => act(key, parts.get(key));
  for (const some of wholesFirst(all, parts))
    for await (const { item: key, outcome } of eachAtOnce(some, one, { interrupted, perSecond }))
      yield {
        key,
        outcome: outcome.done ? outcome.value : { done: false, error: unexpected(outcome.error) },
      };
}

/** A defect that one process shows must not hide what became of the others. */
const unexpected = (cause: unknown): CommandError =>
  new CommandError('failed', 'Failed', cause instanceof Error ? cause.message : String(cause), { cause });
