// New uids: UUIDs of version 7 (RFC 9562). They ascend with time, so their index grows only at its end. Random ones
// would touch another page of the index with every row, and cost more with more old rows.
import { randomUUID } from 'node:crypto';

const TIME_DIGITS = 12;
/** Where the digit of the version is in a UUID. */
const VERSION_AT = 14;

/** A random UUID has the right bits after the version; this writes the time in milliseconds at its beginning. */
export function newUid(): string {
  const time = Date.now().toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(VERSION_AT + 1)}`;
}
