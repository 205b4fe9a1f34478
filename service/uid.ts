// New uids: UUIDs of version 7 (RFC 9562), which ascend with time, so that their index grows at its end only. Random
// ones would touch another page of it with every row, and cost more the more old rows there are.
import { randomUUID } from 'node:crypto';

const TIME_DIGITS = 12;
/** Where the digit of the version is in a UUID. */
const VERSION_AT = 14;

/** A random UUID, which has all bits after the version as they must be, with the time in milliseconds at its beginning. */
export function newUid(): string {
  const time = Date.now().toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(VERSION_AT + 1)}`;
}
