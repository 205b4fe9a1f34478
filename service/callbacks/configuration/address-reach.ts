// The addresses that callbacks may go to (assumptions: Callbacks): never metadata and link-local ones; loopback and
// private ones only if allowed. This checks IP addresses only: a name must be resolved first.

import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { ipv6Groups } from '../../../shared/http/network.ts';

export type Reach = 'public' | 'private' | 'never';

type Subnet = readonly [network: string, prefix: number];

function list(subnets: readonly Subnet[]): BlockList {
  const addresses = new BlockList();
  for (const [network, prefix] of subnets)
    addresses.addSubnet(network, prefix, isIPv4(network) ? 'ipv4' : 'ipv6');
  return addresses;
}

const neverList = list([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  // Metadata services outside of the link-local range: Alibaba, Oracle, Azure.
  ['100.100.100.200', 32],
  ['192.0.0.0', 24],
  ['168.63.129.16', 32],
  // Multicast, reserved and broadcast: no receiver has one.
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  ['ff00::', 8],
  // Teredo hides the IPv4 address of the destination. It is out of use: no receiver has one.
  ['2001::', 32],
]);
const insideList = list([
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['198.18.0.0', 15],
  ['::1', 128],
  ['fc00::', 7],
  ['fec0::', 10],
  // NAT64 of the local network.
  ['64:ff9b:1::', 48],
]);
// Networks whose addresses contain the IPv4 address of the destination, and its place: behind the prefix, or last.
const carriers = (
  [
    ['::ffff:0:0', 96, 6],
    // IPv4-translated (RFC 2765).
    ['::ffff:0:0:0', 96, 6],
    ['::', 96, 6],
    ['64:ff9b::', 96, 6],
    ['2002::', 16, 1],
  ] as const
).map(([network, prefix, firstGroup]) => ({ addresses: list([[network, prefix]]), firstGroup }));

/** Throws TypeError if the text is not an IP address: a name must be resolved first. */
export function reachOf(address: string): Reach {
  const version = isIP(address);
  if (version === 0) throw new TypeError(`${address} is not an IP address`);
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (neverList.check(address, family)) return 'never';
  if (insideList.check(address, family)) return 'private';
  if (version === 4) return 'public';
  const carried = carriedIpv4(address);
  return carried === undefined ? 'public' : reachOf(carried);
}

function carriedIpv4(address: string): string | undefined {
  const carrier = carriers.find(({ addresses }) => addresses.check(address, 'ipv6'));
  if (!carrier) return undefined;
  const [high = 0, low = 0] = ipv6Groups(address).slice(carrier.firstGroup);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** Why callbacks may not go there; undefined if they may. */
export function refusalOf(address: string, allowPrivate: boolean): string | undefined {
  const reach = reachOf(address);
  if (reach === 'never') return `${address} is a metadata, link-local or reserved address`;
  if (reach === 'private' && !allowPrivate) return `${address} is a loopback or private address`;
  return undefined;
}

/** A name is refused if one of its addresses is: the system chooses the address for the connection. */
export function refusalAmong(addresses: readonly LookupAddress[], allowPrivate: boolean): string | undefined {
  for (const { address } of addresses) {
    const refusal = refusalOf(address, allowPrivate);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/**
 * The hosts that may have loopback and private addresses: any, or the named ones, with one port or with every
 * port.
 */
export type PrivateHosts = 'any' | readonly string[];

/** Whether the host and port of a URL or of a connection may be at a loopback or private address. */
export function mayBePrivate(
  hosts: PrivateHosts,
  { protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>,
): boolean {
  if (hosts === 'any') return true;
  const usualPort = protocol === 'https:' ? '443' : '80';
  return hosts.includes(hostname) || hosts.includes(`${hostname}:${port || usualPort}`);
}
