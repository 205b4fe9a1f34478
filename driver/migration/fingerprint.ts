/**
 * A short text for data as JSON: the same data has the same, other data almost surely another one. Two FNV-1a hashes of 32
 * bits, since a workflow has no crypto; nobody gains by a collision.
 */
export function fingerprintOf(data: unknown): string {
  const text = JSON.stringify(data) ?? '';
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ (unit + index), 0x01000193);
  }
  return [one, other].map((hash) => (hash >>> 0).toString(16).padStart(8, '0')).join('');
}
