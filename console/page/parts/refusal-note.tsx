// What the server refused, and what to do: spoken at once by a screen reader.
import type { Refusal } from '../shell/api.ts';
import { inOwnWords } from '../shell/words.ts';

export function RefusalNote({ refusal }: { readonly refusal: Pick<Refusal, 'message'> }) {
  return (
    <p class="refusal" role="alert">
      {inOwnWords(refusal.message)}
    </p>
  );
}
