// A span for each HTTP request that is sent within a span, and its place in the trace as a header of the request. By undici's
// own channels: no code of a caller changes.
import { type ChannelListener, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { SpanStatusCode } from '@opentelemetry/api';
import { carrier, isRecording, type Span, startedSpan } from './spans.ts';

interface UndiciRequest {
  readonly method: string;
  readonly origin: string | URL;
  readonly path: string;
  addHeader(name: string, value: string): unknown;
}

type Message = {
  readonly request: UndiciRequest;
  readonly response?: { readonly statusCode: number };
  readonly error?: Error;
};

export function traceUndici(): () => void {
  const spans = new WeakMap<UndiciRequest, Span>();
  const listeners: Record<string, (message: Message) => void> = {
    'undici:request:create': ({ request }) => {
      // Polling belongs to no trace.
      if (!isRecording()) return;
      const { method, origin, path } = request;
      const { host } = new URL(origin);
      // Without the query: it may hold what a person wrote.
      const attributes = {
        'http.request.method': method,
        'server.address': host,
        'url.path': path.split('?')[0],
      };
      const span = startedSpan(`${method} ${attributes['url.path']}`, { kind: 'client', attributes });
      spans.set(request, span);
      for (const [name, value] of Object.entries(carrier(span))) request.addHeader(name, value);
    },
    'undici:request:headers': ({ request, response }) => {
      if (response) spans.get(request)?.setAttribute('http.response.status_code', response.statusCode);
    },
    'undici:request:trailers': ({ request }) => spans.get(request)?.end(),
    'undici:request:error': ({ request, error }) => {
      const span = spans.get(request);
      span?.setStatus({ code: SpanStatusCode.ERROR, message: error?.name ?? 'error' });
      span?.end();
    },
  };
  for (const [channel, listener] of Object.entries(listeners))
    subscribe(channel, listener as ChannelListener);
  return () => {
    for (const [channel, listener] of Object.entries(listeners))
      unsubscribe(channel, listener as ChannelListener);
  };
}
