// Which entries say that somebody acts on a process: updates have the name in their fields, events beside them, and the answer to a
// question within it.
import { attributionIn, isByProgram } from '../contract/flows/attribution.ts';
import type { Entry } from './inbox.ts';

export function isOfSomebody(entry: Entry): boolean {
  switch (entry.kind) {
    case 'message': {
      const { payload, updateId } = entry.message;
      return updateId === undefined ? isEventOfPerson(payload) : attributionIn(payload) !== null;
    }
    case 'extension':
      return attributionIn(entry.payload) !== null;
    case 'migration':
      return attributionIn(entry.request) !== null;
    // A question is a procedure, and no other one ends with a name.
    case 'answer':
      return (
        entry.call.kind === 'procedure' &&
        'output' in entry.answer &&
        attributionIn(entry.answer.output) !== null
      );
    // Who has asked for a cancellation, Temporal says only in the history.
    case 'note':
    case 'decision':
    case 'cancellation':
      return true;
    case 'timer':
    case 'childEvent':
    case 'time':
      return false;
  }
}

/** Systems send events all day: whoever asks what people did need not read about each. */
function isEventOfPerson(payload: unknown): boolean {
  const who = attributionIn((payload as { readonly who?: unknown } | null | undefined)?.who);
  return who !== null && !isByProgram(who);
}
