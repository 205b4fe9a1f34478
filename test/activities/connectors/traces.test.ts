// What a trace tells of a call through a connector: which connector, the method and the status. Not where it went: an address
// may be a secret, and a path holds what the process knows.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it, onTestFinished } from 'vitest';
import { callConnector } from '../../../activities/connectors/call-connector.ts';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { emitEvent } from '../../../activities/connectors/emit-event.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { traceUndici } from '../../../shared/telemetry/http-spans.ts';
import { inSpan } from '../../../shared/telemetry/spans.ts';
import { json, raw, startTestServer } from '../../shared/locker-api/test-server.ts';

/** As OpenTelemetry's own instrumentation of undici does: a user of the package may have registered it. */
function instrumentUndici(): () => void {
  const begin = (told: unknown) => {
    const { request } = told as { readonly request: { readonly origin: string; readonly path: string } };
    trace.getTracer('theirs').startSpan(`undici ${request.origin}${request.path}`).end();
  };
  subscribe('undici:request:create', begin);
  return () => void unsubscribe('undici:request:create', begin);
}

it('spans of a call and of an event have no address, path, query or body', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  const ends = [traceUndici(), instrumentUndici()];
  await using server = await startTestServer(json(200, {}));
  const keys = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const address = `${server.url.replace('127.0.0.1', 'localhost')}/services/secret-token`;
  const connectors = new Connectors(
    readConnectors(
      'connectors: { chat: { addressFile: address, allow: ["GET,POST /**"], events: { signingKeyFile: keys } } }',
      (path) => (path === 'address' ? address : keys),
    ),
  );
  onTestFinished(async () => {
    for (const end of ends) end();
    for (const api of [trace, propagation, context]) api.disable();
    await connectors.close();
    await provider.shutdown();
  });
  const run = (activity: () => Promise<unknown>) =>
    inSpan('activity', {}, () => new MockActivityEnvironment().run(activity));
  const call = { connector: 'chat', path: '/users/anna', idempotencyKey: 'k' };
  const event = { type: 'x', to: 'chat', data: 'of-anna', at: '2026-01-01T00:00:00Z', number: 1, key: 'k' };
  await run(() =>
    callConnector(connectors, { ...call, method: 'GET', query: { mail: 'anna@acme.example' } }),
  );
  await run(() => callConnector(connectors, { ...call, body: { name: 'of-anna' } }));
  await run(() => emitEvent(connectors, { ...event, flow: { key: 'f', name: 'Flow', version: 1 } }));
  server.reply = json(404, { detail: 'of-anna' });
  await expect(run(() => callConnector(connectors, call))).rejects.toMatchObject({ type: 'CallRefused' });
  server.reply = raw('', 'reset');
  await expect(run(() => callConnector(connectors, call))).rejects.toMatchObject({ type: 'AnswerLost' });

  const spans = exporter.getFinishedSpans().filter(({ name }) => name !== 'activity');
  const told = (method: string, status?: number) => ({
    name: `${method} chat`,
    attributes: {
      'lockerflow.connector': 'chat',
      'http.request.method': method,
      ...(status !== undefined && { 'http.response.status_code': status }),
    },
  });
  expect(spans.map(({ name, attributes }) => ({ name, attributes }))).toEqual([
    told('GET', 200),
    told('POST', 200),
    told('POST', 200),
    told('GET', 404),
    told('GET'),
  ]);
  expect(JSON.stringify(spans.map((span) => [span.attributes, span.events, span.status]))).not.toMatch(
    /secret|anna|localhost/,
  );
  // The other side can go on with the trace.
  const [first] = spans;
  expect(server.requests[0]?.headers.traceparent).toContain(first?.spanContext().spanId);
});
