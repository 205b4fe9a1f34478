// What the server refused, and what to do: spoken at once by a screen reader.

import { t } from '../../../shared/texts/text.ts';
import type { RequestError } from '../api.ts';

export function RefusalNote({ refusal }: { readonly refusal: Pick<RequestError, 'message'> }) {
  return (
    <p class="refusal" role="alert">
      {refusal.message}
    </p>
  );
}

interface NotYetProps {
  readonly refusal?: RequestError | undefined;
  /** Said while it is asked for. */
  readonly words?: string;
}

/** In the place of what is not known yet. */
export const NotYet = ({ refusal, words = t`Loading…` }: NotYetProps) =>
  refusal ? (
    <RefusalNote refusal={refusal} />
  ) : (
    <p class="soft" role="status">
      {words}
    </p>
  );
