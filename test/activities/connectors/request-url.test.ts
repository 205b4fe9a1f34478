// A call goes below the connector's own address, whatever comes into its path.
import { describe, expect, it } from 'vitest';
import {
  isAllowed,
  parametersOf,
  partsOfPath,
  urlBelow,
} from '../../../activities/connectors/request-url.ts';
import type { JsonObject } from '../../../flows/language/flow-file.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';

const [connector] = readConnectors(
  'connectors: { a: { address: "https://a.example/api/now", allow: ["GET /table/**", "POST /table/incident", "PATCH /table/*/rows"] } }',
  () => '',
).connectors;
if (!connector) throw new TypeError('expected a connector');

const url = (path: string, query: JsonObject | null = null) =>
  urlBelow(connector, partsOfPath(path), parametersOf(query)).href;
const allows = (method: string, path: string) => isAllowed(connector.allow, method, partsOfPath(path));

it('a path is put below the address, and parameters behind it', () => {
  expect(url('/table/incident')).toBe('https://a.example/api/now/table/incident');
  expect(url('/')).toBe('https://a.example/api/now');
  expect(url('/v1/rows:send/a b/ä', { limit: 1, q: 'a&b', none: null })).toBe(
    'https://a.example/api/now/v1/rows:send/a%20b/%C3%A4?limit=1&q=a%26b',
  );
});

describe('a path that could lead elsewhere is refused', () => {
  it.each([
    '/..',
    '/a/../../b',
    '/a/./b',
    '/%2e%2e/b',
    '/a/.%2E/b',
    '/a/%252e%252e/b',
    '/a%2fb',
    '/a%5c..%5cb',
    '/a\\b',
    '/..;x=1/b',
    '//evil.example/b',
    '/a//b',
    'https://evil.example/',
    'a',
    '',
    '/a?b=c',
    '/a#b',
    '/a\r\nx: y',
    '/a%0d%0ab',
    '/%',
    `/${'a'.repeat(2_000)}`,
  ])('%j', (path) => {
    expect(() => url(path)).toThrow(TypeError);
  });
});

it('only the calls of the list are allowed', () => {
  expect(allows('GET', '/table/incident/7')).toBe(true);
  expect(allows('GET', '/table')).toBe(true);
  expect(allows('POST', '/table/incident')).toBe(true);
  expect(allows('POST', '/table/Incident')).toBe(false);
  expect(allows('POST', '/table/%69ncident')).toBe(true);
  expect(allows('POST', '/table/incident/7')).toBe(false);
  expect(allows('PATCH', '/table/incident/rows')).toBe(true);
  expect(allows('PATCH', '/table//rows'.replace('//', '/'))).toBe(false);
  expect(allows('DELETE', '/table/incident')).toBe(false);
});
