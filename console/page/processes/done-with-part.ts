// What a dry run says of a case whose part takes the command and is itself among the many: it is done once.
import { partWith } from '../../../flows/language/part-keys.ts';
import { formatDoneWith } from '../../../processes/views/row-words.ts';
import type { BulkOutcome } from '../../processes/processes-view.ts';

/** @param parts those of the many that are parts of the case */
export function doneWithPart(outcome: BulkOutcome, parts: readonly string[]): BulkOutcome {
  const { of } = (outcome.consequence ?? {}) as { readonly of?: string };
  const part = of === undefined ? undefined : partWith(of, parts);
  return part === undefined ? outcome : { ...outcome, words: formatDoneWith(part) };
}
