// Whether a request of a hook is from its sender; and if not, why, for the receiver's log. Every comparison takes the same time,
// and no answer says why one failed.
import { createHmac } from 'node:crypto';
import type { HookProof, SignatureProof } from '../../shared/settings/hooks.ts';
import {
  type Distrust,
  distrustOfSignature,
  form,
  type Headers,
  isEqual,
  missing,
  one,
} from './authenticity.ts';

/** Null if it is. */
export function distrustOfHook(proof: HookProof, headers: Headers, body: Uint8Array): Distrust | null {
  if (proof.kind === 'signature') return distrustOfHmac(proof, headers, body);
  if (proof.kind === 'secret') return distrustOfSecret(proof, headers);
  const distrusted = distrustOfSignature(proof, headers, body);
  return distrusted?.why === 'key' ? otherKey('webhook-signature') : distrusted;
}

/** The header that holds the proof: what a hook makes of a request must not see it. */
export const headerOfProof = (proof: HookProof): string =>
  proof.kind === 'standardWebhooks' ? 'webhook-signature' : proof.header;

const otherKey = (header: string): Distrust => ({
  why: 'key',
  words: `${header} is not by the secret of this hook, or the request was changed on its way; give hook and sender the same secret`,
});

function distrustOfSecret(
  { header, scheme, secrets }: Extract<HookProof, { kind: 'secret' }>,
  headers: Headers,
): Distrust | null {
  const given = one(headers, header);
  if (!given) return missing(header, headers);
  const secret = scheme === null ? given : withoutScheme(given, scheme);
  if (secret === undefined) return form(`${header} does not begin with ${scheme}`);
  return secrets.filter((each) => isEqual(secret, each)).length > 0 ? null : otherKey(header);
}

/** Schemes are compared without case (RFC 9110 section 11.1). */
function withoutScheme(given: string, scheme: string): string | undefined {
  const [, name = '', secret] = /^([^ ]+) +(.*)$/.exec(given) ?? [];
  return name.toLowerCase() === scheme.toLowerCase() ? secret : undefined;
}

function distrustOfHmac(
  { header, algorithm, encoding, prefix, keys }: SignatureProof,
  headers: Headers,
  body: Uint8Array,
): Distrust | null {
  const value = one(headers, header);
  if (!value) return missing(header, headers);
  if (!value.startsWith(prefix)) return form(`${header} has no signature that begins with ${prefix}`);
  const given = value.slice(prefix.length);
  const signature = encoding === 'hex' ? given.toLowerCase() : given;
  const expected = keys.map((key) => createHmac(algorithm, key).update(body).digest(encoding));
  return expected.filter((each) => isEqual(signature, each)).length > 0 ? null : otherKey(header);
}
