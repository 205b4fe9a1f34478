// Addresses that count as one: an IPv4 address alone, IPv6 addresses by their /64. One machine usually has a whole /64
// and could use a new address for each request.
import { isIP, isIPv6 } from 'node:net';

const GROUPS_OF_A_NETWORK = 4;
// ::ffff:0:0/96 holds the IPv4 addresses, as a socket that listens on IPv6 and IPv4 gives them.
const IPV4_PREFIX = [0, 0, 0, 0, 0, 0xffff].join();

export function networkOf(text: string): string {
  const address = withoutPort(text);
  if (!isIPv6(address)) return address;
  const groups = ipv6Groups(address);
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 6).join() === IPV4_PREFIX)
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  return groups
    .slice(0, GROUPS_OF_A_NETWORK)
    .map((group) => group.toString(16))
    .join(':');
}

/**
 * A proxy may add the port, as RFC 7239 lets it: each port would count as a network of its own. What is no address counts as
 * one.
 */
function withoutPort(text: string): string {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/.exec(text.trim()) ?? [];
  const address = inBrackets ?? beforePort ?? text.trim();
  return isIP(address) === 0 ? 'unknown' : address;
}

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
