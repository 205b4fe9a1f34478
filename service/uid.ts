// New uids: UUIDs of version 7 (RFC 9562), which ascend with time, so that their index grows at its end only. Random
// ones would touch another page of it with every row, and cost more the more old rows there are.
import { randomBytes } from 'node:crypto';

export function newUid(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20, 32].map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end)).join('-');
}
