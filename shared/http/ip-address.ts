// IPv6 addresses as numbers, from any spelling.

/** The eight groups of an IPv6 address, without a zone. */
export function ipv6Groups(address: string): number[] {
  // The URL parser writes every spelling in the same way, a dotted tail as two groups.
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [parse(head), parse(tail ?? '')];
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}
