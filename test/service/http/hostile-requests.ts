// Whatever a stranger can send to an HTTP server, as bytes: what is not HTTP at all, what is half of it, and requests in
// which one part is wrong. For the service and for the callback receiver.

const CRLF = '\r\n';

type RequestBuilder = (path: string, headers?: readonly string[], body?: string, method?: string) => string;

/** A request to the path, with these headers and this body after the usual ones. */
const askedWith =
  (usual: readonly string[]): RequestBuilder =>
  (path, headers = [], body = '', method = 'POST') =>
    [
      `${method} ${path} HTTP/1.1`,
      'Host: x',
      ...usual,
      'Connection: close',
      ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
      ...headers,
      '',
      body,
    ].join(CRLF);

/** By what is wrong with them. */
export function hostileRequests(
  path: string,
  genuine: string,
  usualHeaders: readonly string[] = [],
): Readonly<Record<string, string | Buffer>> {
  const asked = askedWith(usualHeaders);
  const json = 'Content-Type: application/json';
  const form = 'Content-Type: multipart/form-data; boundary=b';
  const signed = (header: string, value: string) => asked(path, [json, `${header}: ${value}`], genuine);
  return {
    'no bytes': '',
    'one byte': 'P',
    'no HTTP': 'what?\r\n\r\n',
    'TLS to a plain port': Buffer.from('16030100a5010000a10303', 'hex'),
    'HTTP/2 to HTTP/1': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'random bytes': Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7_919) % 256)),
    'a head that breaks off': `POST ${path} HTTP/1.1${CRLF}Host`,
    'a body that breaks off': asked(path, [json, 'Content-Length: 500'], ''),
    'a chunk that breaks off': `${asked(path, [json, 'Transfer-Encoding: chunked'])}ff${CRLF}{"a"`,
    'a chunk without a length': `${asked(path, [json, 'Transfer-Encoding: chunked'])}zz${CRLF}${CRLF}`,
    'a very long path': asked(`/${'x'.repeat(100_000)}`),
    'a very long header': asked(path, [`X-Long: ${'x'.repeat(100_000)}`]),
    'ten thousand headers': asked(
      path,
      Array.from({ length: 10_000 }, (_, index) => `X-${index}: 1`),
    ),
    'an upgrade': asked(path, ['Connection: Upgrade', 'Upgrade: websocket'], '', 'GET'),
    'a tunnel': asked('example.com:443', [], '', 'CONNECT'),
    'a trace': asked(path, [], '', 'TRACE'),
    'an unknown method': asked(path, [], '', 'BREW'),
    'an expectation': asked(path, ['Expect: 200-ok'], genuine),
    'a path that is not a path': asked('*', [], '', 'OPTIONS'),
    'a path with a wrong escape': asked('/%zz'),
    'a path of two slashes': asked('//'),
    'a path that is the pattern of a route': asked('/docs/:version(.*)/x', [], '', 'GET'),
    'a path that is half a pattern': asked('/:x(('),
    'a path that is a wrong pattern': asked('/:x([)'),
    'a path with a wildcard in its middle': asked('/*/x'),
    'a path that is a whole URL': asked(`http://example.com${path}`),
    'a query of brackets': asked(`${path}?a[__proto__]=1&a[]=2&%00=%ff`),
    'no content type': asked(path, [], genuine),
    'another content type': asked(path, ['Content-Type: text/plain'], genuine),
    'a content type that is none': asked(path, ['Content-Type: ;;=;'], genuine),
    'a form without parts': asked(path, [form], '--b--'),
    'a form that breaks off': asked(path, [form], '--b\r\nContent-Disposition: form-data; name="file"'),
    'a form with a name that is none': asked(
      path,
      [form],
      '--b\r\nContent-Disposition: form-data; name=__proto__\r\n\r\n1\r\n--b--\r\n',
    ),
    'a form of many empty parts': asked(path, [form], `${'--b\r\n\r\n\r\n'.repeat(2_000)}--b--`),
    'an empty body': asked(path, [json]),
    'a body of spaces': asked(path, [json], ' '.repeat(1_000)),
    'no JSON': asked(path, [json], '{"a":'),
    'no UTF-8': Buffer.concat([
      Buffer.from(asked(path, [json, 'Content-Length: 4'])),
      Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    ]),
    'half a surrogate pair': asked(
      path,
      [json],
      '{"messageType":"\\ud800","message":{"shipmentUid":"\\udfff"}}',
    ),
    'a NUL': asked(path, [json], '{"messageType":"\\u0000","message":{"shipmentUid":"\\u0000"}}'),
    'JSON without an object': asked(path, [json], 'null'),
    'JSON that is deep': asked(path, [json], '['.repeat(20_000) + ']'.repeat(20_000)),
    'an object that is deep': asked(path, [json], `${'{"message":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
    'a number that is too big': asked(path, [json], '{"messageType":1e999,"message":{"shipmentUid":1e999}}'),
    'a prototype': asked(path, [json], '{"__proto__":{"messageType":"x"},"constructor":{"prototype":1}}'),
    'wrong types everywhere': asked(path, [json], '{"messageType":["x"],"message":{"shipmentUid":{"a":1}}}'),
    'one key a thousand times': asked(path, [json], `{${'"messageType":"x",'.repeat(1_000)}"message":1}`),
    'a signature that is none': signed('Webhook-Signature', 'v1,%%%'),
    'a moment that is none': signed('Webhook-Timestamp', '1e309'),
    'a thousand signatures': signed('Webhook-Signature', 'v1,AAAA '.repeat(1_000)),
    'an HMAC that is none': signed('X-Callback-Hmac', '\xff\xfe'),
    'an API key that is none': signed('X-Api-Key', ' '),
    'a token that is none': signed('Authorization', 'Bearer ../../%00'),
    'credentials that are none': signed('Authorization', 'Basic %%%'),
    'a length that is wrong': asked(path, [json, 'Content-Length: 3', 'Content-Length: 4'], ''),
    'two requests at once': asked(path, [json], genuine) + asked(path, [json], genuine),
  };
}
