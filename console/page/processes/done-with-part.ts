// What a dry run says of a case whose part takes the command and is itself among the many: it is done once.
import { partWith } from '../../../flows/language/part-keys.ts';
import { formatDoneWith } from '../../../processes/views/row-words.ts';
import type { BulkOutcome } from '../../processes/processes-view.ts';

/** @param keys of the many */
export function doneWithPart(outcome: BulkOutcome, keys: readonly string[]): BulkOutcome {
  const { of } = (outcome.consequence ?? {}) as { readonly of?: string };
  const part = of && partWith(of, keys, outcome.key);
  return part ? { ...outcome, words: formatDoneWith(part) } : outcome;
}
