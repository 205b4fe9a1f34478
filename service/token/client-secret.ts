// How a client secret is made, hashed and checked. Only its hash is stored (docs/assumptions.md, The wire). The hash is
// fast: nobody can guess 256 random bits, at any speed. A slow hash would not protect such a secret better, and anybody
// could make the service compute one with a wrong secret.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
const SALT_BYTES = 16;
// 128 bits: no two secrets have the same.
const SECRET_ID_CHARACTERS = 22;

export const newClientSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** In the form sha256$salt$hash. */
export function hashClientSecret(secret: string): string {
  const salt = randomBytes(SALT_BYTES);
  return ['sha256', salt.toString('base64'), saltedHash(secret, salt).toString('base64')].join('$');
}

/** A hash of another form matches nothing. */
export function matchesClientSecret(secret: string, stored: string): boolean {
  const [algorithm, salt, expected] = stored.split('$');
  if (algorithm !== 'sha256' || salt === undefined || expected === undefined) return false;
  return timingSafeEqual(saltedHash(secret, Buffer.from(salt, 'base64')), Buffer.from(expected, 'base64'));
}

/**
 * Names a stored secret in the tokens that came from it. Made from the salted hash, so it is another one for each secret, and
 * tells nothing of it.
 */
export const clientSecretId = (stored: string): string =>
  hash('sha256', stored, 'base64url').slice(0, SECRET_ID_CHARACTERS);

const saltedHash = (secret: string, salt: Buffer): Buffer =>
  hash('sha256', Buffer.concat([salt, Buffer.from(secret)]), 'buffer');
