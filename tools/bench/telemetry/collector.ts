// A collector as a process of its own: takes spans (OTLP over HTTP, as JSON), reads them, and tells its parent how many came
// since the last time, by the process that sent them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Collected {
  readonly bytes: number;
  /** By service.name, like lockerflow-worker. */
  readonly spans: Readonly<Record<string, number>>;
}

interface TraceRequest {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly {
        readonly key: string;
        readonly value: { readonly stringValue?: string };
      }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly unknown[] }[];
  }[];
}

let spans: Record<string, number> = {};
let bytes = 0;
const server = createServer(async (request, response) => {
  const body = await text(request);
  bytes += Buffer.byteLength(body);
  const { resourceSpans } = JSON.parse(body) as TraceRequest;
  for (const { resource, scopeSpans } of resourceSpans) {
    const sender = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    for (const scope of scopeSpans) spans[sender] = (spans[sender] ?? 0) + scope.spans.length;
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
await once(server.listen(0, '127.0.0.1'), 'listening');
process.on('message', () => {
  process.send?.({ spans, bytes } satisfies Collected);
  spans = {};
  bytes = 0;
});
process.on('disconnect', () => process.exit());
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
