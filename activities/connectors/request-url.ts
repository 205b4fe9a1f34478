// Where a call goes: always below the connector's own address, whatever stands in the file or comes in by an expression.

import type { Json } from '../../flows/language/flow-file.ts';
import type { AllowedCalls, Connector } from '../../shared/settings/connectors.ts';

const LONGEST_PATH = 2_000;
/** Characters that a path may have as they are. */
const charactersOfPaths = new Map(
  ['%3A', '%40', '%2C', '%24', '%26', '%2B', '%3B', '%3D'].map((code) => [code, decodeURIComponent(code)]),
);

/**
 * The parts of a path, decoded. Throws a TypeError for one that could mean another place than it shows: `..` and slashes
 * in any encoding, a query, a fragment.
 */
export function partsOfPath(path: string): string[] {
  if (!path.startsWith('/')) throw new TypeError('path must begin with /');
  if (path.length > LONGEST_PATH) throw new TypeError(`path must have at most ${LONGEST_PATH} characters`);
  if (/[?#]/.test(path)) throw new TypeError('path must have no ? and no #; parameters stand in query');
  if (path === '/') return [];
  return path.slice(1).split('/').map(decodedPart);
}

function decodedPart(part: string, index: number, { length }: readonly string[]): string {
  const decoded = decodedText(part);
  if (decoded === '' && index < length - 1) throw new TypeError('path must not have two slashes in a row');
  const [beforeParameters = ''] = decoded.split(';');
  if (['.', '..'].includes(beforeParameters.trim()))
    throw new TypeError('path must not have a part . or .. in any encoding');
  if (/[/\\\p{Cc}]|%(?:2e|2f|5c)/iu.test(decoded))
    throw new TypeError(
      'a part of the path must have no slash, no backslash and no control character in any encoding',
    );
  return decoded;
}

function decodedText(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new TypeError('path has a % that begins no encoded character; write %25 for it');
  }
}

export function isAllowed(allow: readonly AllowedCalls[], method: string, parts: readonly string[]): boolean {
  return allow.some(({ methods, path }) => methods.includes(method) && matches(partsOfPath(path), parts));
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '**';
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? parts.length < fixed.length : parts.length !== fixed.length) return false;
  return fixed.every((each, index) => each === parts[index] || (each === '*' && parts[index] !== ''));
}

export function urlBelow(
  { address }: Connector,
  parts: readonly string[],
  query: readonly (readonly [string, string])[] = [],
): URL {
  const url = new URL(address);
  const base = url.pathname.replace(/\/$/, '');
  const pathname = parts.length === 0 ? url.pathname : `${base}/${parts.map(encodedPart).join('/')}`;
  url.pathname = pathname;
  for (const [name, value] of query) url.searchParams.append(name, value);
  if (url.origin !== address.origin || url.pathname !== pathname)
    throw new TypeError('path leads away from the connector');
  return url;
}

const encodedPart = (part: string): string =>
  encodeURIComponent(part).replace(/%[0-9A-F]{2}/g, (code) => charactersOfPaths.get(code) ?? code);

/** Throws a TypeError for a query that is not a flat map. */
export function parametersOf(query: Json = null): [string, string][] {
  if (query === null) return [];
  if (typeof query !== 'object' || Array.isArray(query))
    throw new TypeError('query must be parameters by name');
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === null) return [];
    if (typeof value === 'object')
      throw new TypeError(`query.${name} must be a text, a number, true or false, or null`);
    return [[name, String(value)]];
  });
}
