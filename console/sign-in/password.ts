// Passwords as scrypt hashes, in one word of text: scrypt$<N>$<r>$<p>$<salt>$<hash>, both in base64url.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

// Some 200 ms and 32 MB for one try: little for a person, much for one who tries a list of passwords.
const COST = { N: 32_768, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
// scrypt needs 128 * N * r bytes; Node's own limit is just below that of our cost.
const MAXIMUM_BYTES = 256 * 1_024 * 1_024;
const FORM = /^scrypt\$(\d{4,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,})\$([\w-]{32,})$/;

export const isPasswordHash = (text: string): boolean => FORM.test(text);

/** @param cost another one, where many must be made or tried in a short time */
export async function passwordHash(
  password: string,
  cost: { readonly N: number; readonly r: number; readonly p: number } = COST,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derived(password, salt, HASH_BYTES, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Without a hash it takes as long as with one, so that nobody learns which names there are. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = FORM.exec(hash ?? NOBODYS) ?? FORM.exec(NOBODYS) ?? [];
  const wanted = Buffer.from(expected, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const given = await derived(password, Buffer.from(salt, 'base64url'), wanted.length, cost);
  return timingSafeEqual(given, wanted) && hash !== undefined;
}

const NOBODYS = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function derived(password: string, salt: Buffer, bytes: number, cost: ScryptOptions): Promise<Buffer> {
  const options = { ...cost, maxmem: MAXIMUM_BYTES };
  return new Promise((resolve, reject) => {
    // One and the same letter has several spellings in Unicode; keyboards differ in which they type.
    scrypt(password.normalize('NFKC'), salt, bytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
