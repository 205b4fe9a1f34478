// How a client secret is made, hashed and checked. Only the hash is ever stored (decisions §6).
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

// Some 30 ms and 16 MiB a guess: nothing beside the network for one request, hopeless for a dictionary.
const COST = 16_384;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
// 256 bits: beyond guessing, whatever is known of the hash.
const SECRET_BYTES = 32;

export const newClientSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** The parameters stand in the hash, so that they can be raised without refusing older secrets. */
export async function hashClientSecret(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derivedKey(secret, salt, KEY_BYTES, { N: COST, r: BLOCK_SIZE, p: PARALLELIZATION });
  const parts = [
    'scrypt',
    COST,
    BLOCK_SIZE,
    PARALLELIZATION,
    salt.toString('base64'),
    key.toString('base64'),
  ];
  return parts.join('$');
}

export async function matchesClientSecret(secret: string, hash: string): Promise<boolean> {
  const [algorithm, N, r, p, salt, key] = hash.split('$');
  if (algorithm !== 'scrypt' || salt === undefined || key === undefined)
    throw new Error('A stored client secret is not in the form scrypt$N$r$p$salt$key');
  const expected = Buffer.from(key, 'base64');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derivedKey(secret, Buffer.from(salt, 'base64'), expected.length, options);
  return timingSafeEqual(actual, expected);
}

const derivedKey = (secret: string, salt: Buffer, length: number, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(secret, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
