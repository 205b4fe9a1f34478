// A short name for a key, for logs: two processes compare which key they have, and neither shows it. Eight digits tell
// keys apart, and are too few to search a key of 256 random bits by.
import { createHash } from 'node:crypto';

export const keyFingerprint = (key: string): string =>
  createHash('sha256').update(`lockerflow key ${key}`).digest('hex').slice(0, 8);
