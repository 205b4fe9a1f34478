// What an error shows of an answer that could not be understood: bounded, and masked, because the answer may hold
// access codes or personal data, or a proxy's page may echo the request with its token.

export interface Evidence {
  readonly reason: string;
  readonly contentType?: string | null;
  readonly bodyBytes?: number;
  /** The beginning of the body, masked. */
  readonly body?: string;
}

// Enough to tell a proxy's page from a framework's; a Temporal failure with it stays far below 4 kB.
const SNIPPET_LENGTH = 500;
const REASON_LENGTH = 300;

const E_MAIL = /[^\s@<>"']+@[^\s@<>"']+/g;
// Access codes and phone numbers stand alone; digits that belong to a uid (shipment-1001) are worth reading.
const DIGITS = /(?<![\w-])\+?\d{4,}(?![\w-])/g;

/** Text from outside without the given secrets, e-mail addresses and numbers that may be codes. */
export function masked(text: string, secrets: readonly string[]): string {
  return withoutSecrets(text, secrets).slice(0, REASON_LENGTH);
}

export function evidence(
  reason: string,
  answer: { readonly contentType: string | null; readonly body: Uint8Array },
  secrets: readonly string[],
): Evidence {
  return {
    reason: masked(reason, secrets),
    contentType: answer.contentType,
    bodyBytes: answer.body.byteLength,
    body: snippet(answer.body, secrets),
  };
}

function snippet(body: Uint8Array, secrets: readonly string[]): string {
  // Masked first, cut then: a secret that straddles the cut would escape.
  const text = new TextDecoder().decode(body.subarray(0, 20 * SNIPPET_LENGTH));
  const shown = /^\s*[[{]/.test(text) ? jsonKeysOnly(text) : text;
  return withoutSecrets(shown, secrets).slice(0, SNIPPET_LENGTH);
}

/** Of JSON, also when it is cut, the keys and the structure tell what answered; the values are nobody's business. */
function jsonKeysOnly(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"?(\s*:)?/g, (token, colon?: string) => (colon ? token : '"…"'));
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) if (secret !== '') result = result.replaceAll(secret, '…');
  return result.replace(E_MAIL, '…').replace(DIGITS, '…');
}
