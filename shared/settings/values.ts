// Settings as they are written in the environment: what several processes read in the same way.

import { BlockList, isIP, isIPv6 } from 'node:net';
import { z } from 'zod';
import { TASK_QUEUE } from '../../contract/flows/flow-types.ts';
import { plainMessages, shortened } from '../../contract/wire/format-issue.ts';
import { peerSettings } from '../../contract/wire/peer.ts';
import { secretSettings } from './secret-files.ts';

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
export function isAmong(addresses: BlockList, given: string): boolean {
  const address = given.replace(/^::ffff:(?=\d+\.)/, '');
  return isIP(address) !== 0 && addresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Host and port where a process tells Prometheus its metrics. */
export const metricsAddress = z
  .string()
  .regex(/^[^\s:]+:\d{1,5}$|^\[[^\]]+\]:\d{1,5}$/, 'must be a host and a port, like 127.0.0.1:9464');

// Reads the settings of a program from the environment. One error names every wrong setting: what it must be and, if it is no
// secret, what it is. Only this file knows the form of that error.

type Variables = Readonly<Record<string, string | undefined>>;

/** Throws an Error. @param head begins it, like "The worker cannot start; these settings are wrong" */
export function readSettings<Schema extends z.ZodType>(
  head: string,
  schema: Schema,
  variables: Variables,
): z.output<Schema> {
  // Compose files and shells give an empty variable for one that is not set.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { success, data, error } = schema.safeParse(given, plainMessages);
  if (success) return data;
  // A list of which several elements are wrong is named once.
  const lines = new Set(error.issues.map((issue) => lineOf(issue, given)));
  throw new Error(`${head}:\n${[...lines].join('\n')}`);
}

function lineOf({ path, code, input, message }: z.core.$ZodIssue, given: Variables): string {
  const name = String(path[0]);
  const value = given[name];
  if (input === undefined && code === 'invalid_type')
    return `  ${name}: is required${message.startsWith('must ') ? `; it ${message}` : ''}`;
  // A message that quotes a part of the value, or begins with a file's name, has said it.
  const isHidden =
    value === undefined || isSecret(name) || message.includes('"') || message.startsWith(value);
  return `  ${name}: ${message}${isHidden ? '' : `; it is ${shown(value)}`}`;
}

const secrets: ReadonlySet<string> = new Set([...secretSettings, 'CONSOLE_LINK_SECRET']);
const isSecret = (name: string): boolean => secrets.has(name);

const LONGEST_SHOWN = 100;

/** In quotes. An address may have a password before its host. */
function shown(value: string): string {
  const text = value.replace(/\/\/[^/@]*@/g, '//…@');
  return JSON.stringify(shortened(text, LONGEST_SHOWN));
}

/** A setting that `read` reads. What it throws says what is wrong. @param missing what it must be, if it is absent */
export const readBy = <Value>(read: (text: string) => Value, missing?: string) =>
  z.string(missing).transform((text, context): Value => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });

// The settings that worker and receiver share, beside the peer's: both send reports to flows and park the others.

export const orchestratorSettings = peerSettings.extend({
  /** How long a callback without a flow is kept. */
  PARK_FOR: z
    .string()
    .regex(/^P(?=.)(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/, 'must be a duration like P30D')
    .default('P30D'),
  LOCKERFLOW_TASK_QUEUE: z.string().min(1).default(TASK_QUEUE),
});
