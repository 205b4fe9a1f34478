// The whole circle of a service without Temporal: it starts processes over HTTP, hears of them by signed webhooks at an address
// of its own, answers over HTTP, and hears of their ends.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { type Installation, ourService, startInstallation } from '../../end-to-end/installation.ts';
import { newConsoleOf, type TestConsole } from '../console-world.ts';
import { newClientToken, type Program, programOf } from './program.ts';

const KEY = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const PATIENCE = { timeout: 60_000, interval: 50 };

interface WebhookEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly flow: { readonly key: string };
}

let shop: {
  readonly server: Server;
  readonly heard: WebhookEvent[];
  hears: (event: WebhookEvent) => Promise<void>;
};
let connectors: Connectors;
let installation: Installation;
let server: TestConsole;
let program: Program;

beforeAll(async () => {
  vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
  shop = await startShop();
  const { port } = shop.server.address() as AddressInfo;
  const settings = `connectors: { shop: { address: "http://127.0.0.1:${port}", events: { signingKeyFile: key } } }`;
  connectors = new Connectors(readConnectors(settings, () => KEY));
  installation = await startInstallation(ourService, { dependencies: { connectors } });
  server = await newConsoleOf(installation);
  const scopes = ['flows:read', 'flows:start', 'flows:publish', 'flows:decide'];
  program = programOf(server.address, await newClientToken(installation.service, 'shop', ...scopes));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await installation?.[Symbol.asyncDispose]();
  await connectors?.close();
  shop?.server.close();
});

/** Takes nothing without the signature, and each event once it has done what it does about it. */
async function startShop(): Promise<typeof shop> {
  const heard: WebhookEvent[] = [];
  const listener = createServer(async (request, response) => {
    try {
      const body = await text(request);
      const event = new Webhook(KEY).verify(body, request.headers as Record<string, string>) as WebhookEvent;
      await shop.hears(event);
      heard.push(event);
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return { server: listener, heard, hears: async () => {} };
}

const heardOf = (key: string, type: string) =>
  vi.waitUntil(() => shop.heard.find((event) => event.flow.key === key && event.type === type), PATIENCE);

test('a question is told to the shop, which answers it, and hears of the end', async () => {
  const flow = `Quote${randomUUID().slice(0, 8)}`;
  const file = `
name: ${flow}
meaning: A shop says what a repair costs.
input: { type: object, required: [item], properties: { item: { type: string } } }
context: { cost: 0 }
initial: asking
exit: { type: emit, params: { type: quote.over, to: shop, data: { cost: "\${context.cost}" } } }
states:
  asking:
    entry: { type: emit, params: { type: quote.needed, to: shop, data: { item: "\${input.item}" } } }
    invoke:
      id: quote
      src: ask
      input: { of: ${flow}, question: "What does it cost?", fields: { cost: { type: number } } }
      onDone: { target: over, actions: { type: assign, params: { cost: "\${event.output.cost}" } } }
  over: { type: final }
output: { cost: "\${context.cost}" }
`;
  await program.post('/v1/flows', { files: [{ path: 'quote.flow.yaml', text: file }] });
  const clerk = programOf(
    server.address,
    await newClientToken(installation.service, `clerk-${flow}`, `inbox:${flow}`),
  );
  shop.hears = async ({ type, flow: { key } }) => {
    if (type !== 'quote.needed') return;
    const { status } = await clerk.post(`/v1/processes/${key}/answers`, { values: { cost: 80 } });
    // Then the event comes again.
    if (status !== 200) throw new Error(`the answer was refused with ${status}`);
  };
  const key = `quote-${randomUUID()}`;
  await program.post('/v1/processes', { flow, key, request: { item: 'drill' } });
  expect(await heardOf(key, 'quote.needed')).toMatchObject({ data: { item: 'drill' } });
  expect(await heardOf(key, 'quote.over')).toMatchObject({ data: { cost: 80 } });
  const { body } = await program.post(
    '/v1/processes',
    { flow, key, request: { item: 'drill' } },
    { prefer: 'wait=30' },
  );
  expect(body).toMatchObject({ status: 'Completed', result: { cost: 80 } });
});
