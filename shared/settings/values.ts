// Settings as they are written in the environment: what several processes read in the same way.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { z } from 'zod';

export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, wholeFrom(least, most))
    .transform(Number)
    .pipe(z.number().min(least, wholeFrom(least, most)).max(most, wholeFrom(least, most)));

const wholeFrom = (least: number, most: number): string => `must be a whole number from ${least} to ${most}`;

export const yesOrNo = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((word) => word === 'true');

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const logLevel = z.enum(levels, `must be one of ${levels.join(', ')}`).default('info');

/** An address, or a network like 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return longest > 0 && Number(bits ?? longest) <= longest;
}

/** The proxies before a server: addresses or networks, separated by commas. */
export const trustedProxies = z
  .string()
  .transform((text) => text.split(',').map((proxy) => proxy.trim()))
  .refine((proxies) => proxies.every(isNetwork), 'must be addresses or networks, like 10.0.0.0/8,10.1.2.3')
  .default([]);

/** Throws an Error for a text that is neither an address nor a network. */
export function addressesIn(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** The address of a socket: an IPv4 address may come in its IPv6 form. */
export function isAmong(addresses: BlockList, text: string): boolean {
  const address = text.replace(/^::ffff:(?=\d+\.)/, '');
  return isIP(address) !== 0 && addresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Host and port where a process tells Prometheus its metrics. */
export const metricsAddress = z
  .string()
  .regex(/^[^\s:]+:\d{1,5}$|^\[[^\]]+\]:\d{1,5}$/, 'must be a host and a port, like 127.0.0.1:9464');
