// Which messages say that somebody acts on a process: updates have the name in their fields, events beside them.
import { attributionIn, isByProgram } from '../contract/flows/attribution.ts';

export const isUpdateOfSomebody = (fields: unknown): boolean => attributionIn(fields) !== null;

/** Systems send events all day: whoever asks what people did need not read about each. */
export function isEventOfPerson(payload: unknown): boolean {
  const who = attributionIn((payload as { readonly who?: unknown } | null | undefined)?.who);
  return who !== null && !isByProgram(who);
}
