// Whether a request of a hook is from its sender; and if not, why, for the receiver's log. Every comparison takes the same time,
// and no answer says why one failed.
import { createHmac } from 'node:crypto';
import type { HookProof, SignatureProof } from '../../runtime/settings/hooks.ts';
import {
  type Distrust,
  distrustOfSignature,
  distrustOfTime,
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
  if (proof.kind === 'clientState') return distrustOfClientState(proof, body);
  const distrusted = distrustOfSignature(proof, headers, body);
  return distrusted?.why === 'key' ? otherKey('webhook-signature') : distrusted;
}

/** The header that holds the proof: what a hook makes of a request must not see it. */
export function headerOfProof(proof: HookProof): string | null {
  if (proof.kind === 'clientState') return null;
  return proof.kind === 'standardWebhooks' ? 'webhook-signature' : proof.header;
}

/** Each notification has to have the secret: one that is genuine says nothing of those beside it. */
function distrustOfClientState(
  { secrets }: Extract<HookProof, { kind: 'clientState' }>,
  body: Uint8Array,
): Distrust | null {
  const notifications = notificationsIn(body);
  if (notifications.length === 0)
    return form('the body is not JSON whose value is a list of one or more notifications');
  const isGenuine = notifications.every(({ clientState }) => {
    const given = typeof clientState === 'string' ? clientState : undefined;
    return secrets.filter((each) => isEqual(given, each)).length > 0;
  });
  return isGenuine ? null : otherKey('clientState');
}

/** Those of Microsoft Graph; none if it is something else. */
function notificationsIn(body: Uint8Array): readonly { readonly clientState?: unknown }[] {
  try {
    const { value } = JSON.parse(Buffer.from(body).toString()) ?? {};
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null);
    return isList ? value : [];
  } catch {
    return [];
  }
}

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

function distrustOfHmac(proof: SignatureProof, headers: Headers, body: Uint8Array): Distrust | null {
  const { header, algorithm, encoding, keys, signed, timestamp, toleranceSeconds } = proof;
  const value = one(headers, header);
  if (!value) return missing(header, headers);
  const signatures = signaturesIn(value, proof);
  if (signatures.length === 0)
    return form(
      `${header} has no signature that ${proof.part === null ? `begins with ${proof.prefix}` : `is ${proof.part}=…`}`,
    );
  const signedAt = timestamp === null ? null : timeIn(timestamp, value, headers);
  if (signedAt === undefined) return form('the signed time is missing');
  const [before = '', after = ''] = signed
    .split('{body}')
    .map((text) => text.replaceAll('{timestamp}', () => signedAt ?? ''));
  const expected = keys.map((key) =>
    createHmac(algorithm, key).update(before).update(body).update(after).digest(encoding),
  );
  const isSigned = signatures
    .map((each) => (encoding === 'hex' ? each.toLowerCase() : each))
    .some((signature) => expected.some((right) => isEqual(signature, right)));
  if (!isSigned) return otherKey(header);
  if (signedAt === null) return null;
  const seconds = secondsOf(signedAt);
  return seconds === undefined
    ? form('the signed time is neither a number since 1970 nor ISO 8601')
    : distrustOfTime(seconds, toleranceSeconds);
}

/** More than a sender ever gives, and not enough to keep the receiver busy. */
const MOST_SIGNATURES = 10;

function signaturesIn(value: string, { prefix, part }: SignatureProof): string[] {
  if (part !== null) return partsOf(value, part).slice(0, MOST_SIGNATURES);
  return value.startsWith(prefix) && value.length > prefix.length ? [value.slice(prefix.length)] : [];
}

/** The values of a part in a header such as `t=1492774577,v1=5257a869`. */
const partsOf = (value: string, name: string): string[] =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1));

function timeIn(
  timestamp: NonNullable<SignatureProof['timestamp']>,
  value: string,
  headers: Headers,
): string | undefined {
  if ('header' in timestamp) return one(headers, timestamp.header) || undefined;
  const [time, another] = partsOf(value, timestamp.part);
  return another === undefined ? time : undefined;
}

/** Since 1970: seconds, milliseconds, or an instant in ISO 8601. */
function secondsOf(text: string): number | undefined {
  if (/^\d{1,11}$/.test(text)) return Number(text);
  if (/^\d{12,14}$/.test(text)) return Number(text) / 1_000;
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1_000;
}
