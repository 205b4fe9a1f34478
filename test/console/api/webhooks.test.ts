// The whole circle of a service without Temporal: it starts processes over HTTP, hears of them by signed webhooks at an address
// of its own, answers over HTTP, and hears of their ends.
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test, vi } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { startTestServer } from '../../shared/locker-api/test-server.ts';
import { useConsoleOf } from '../console-world.ts';
import { clientsOf } from './program.ts';

const KEY = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const PATIENCE = { timeout: 60_000, interval: 50 };

interface WebhookEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly flow: { readonly key: string };
}

const heard: WebhookEvent[] = [];
/** What the shop does about an event. */
let act: (event: WebhookEvent) => Promise<void> = async () => undefined;
/** Takes nothing without the signature, and each event once it has done what it does about it. */
const shop = await startTestServer(async (response, { headers, body }) => {
  try {
    const event = new Webhook(KEY).verify(body, headers as Record<string, string>) as WebhookEvent;
    await act(event);
    heard.push(event);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
});
const settings = `connectors: { shop: { address: "${shop.url}", events: { signingKeyFile: key } } }`;
const connectors = new Connectors(readConnectors(settings, () => KEY));
afterAll(async () => {
  await connectors.close();
  await shop[Symbol.asyncDispose]();
});

const installation = useInstallation(ourService, { dependencies: { connectors } });
const server = useConsoleOf(installation);

const programWith = clientsOf(server, installation);

const heardOf = (key: string, type: string) =>
  vi.waitUntil(() => heard.find((event) => event.flow.key === key && event.type === type), PATIENCE);

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
  const scopes = ['flows:read', 'flows:start', 'flows:publish', 'flows:decide'];
  const program = await programWith('shop', ...scopes);
  await program.post('/v1/flows', { files: [{ path: 'quote.flow.yaml', text: file }] });
  const clerk = await programWith(`clerk-${flow}`, `inbox:${flow}`);
  act = async ({ type, flow: { key } }) => {
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
