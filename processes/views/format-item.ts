// An item as people know it: what it is, and its number.
import { textOf } from './account-names.ts';

/** "Laptop 7 (3SLOCK302)"; null: nobody has said. */
export function formatItem(
  given: { readonly description?: unknown; readonly referenceNo?: unknown } | undefined,
): string | null {
  const [words, number] = [textOf(given?.description), textOf(given?.referenceNo)];
  if (words === null) return number;
  return number === null ? words : `${words} (${number})`;
}
