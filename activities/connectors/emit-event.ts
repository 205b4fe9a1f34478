// Delivers an event of a process to the connector for events, signed as a Standard Webhook. A retry has the same id and body,
// so the receiver can drop duplicates.
import { createHash, createHmac } from 'node:crypto';
import { ApplicationFailure, log } from '@temporalio/activity';
import {
  callbackHeaders,
  standardWebhooksContent,
  standardWebhooksKey,
} from '../../contract/wire/callback.ts';
import type { Connector } from '../../shared/settings/connectors.ts';
import { ActivityHeartbeat } from '../activity-heartbeat.ts';
import type { EmittedEvent } from '../flow-file-activities.ts';
import type { Connectors } from './connectors.ts';
import { ConnectorError } from './exchange.ts';
import { partsOfPath, urlBelow } from './request-url.ts';

export async function emitEvent(connectors: Connectors, event: EmittedEvent): Promise<void> {
  const receiver = receiverOf(connectors, event.to);
  if (!receiver)
    return log.info('an event goes nowhere: LOCKERFLOW_CONNECTORS has no events', { event: event.type });
  const [connector, { path, signingKeys }] = receiver;
  const { type, at, data, number, flow, key } = event;
  const body = JSON.stringify({ type, timestamp: at, data, number, flow });
  using _heartbeat = new ActivityHeartbeat();
  try {
    await connectors.exchange(connector, {
      url: urlBelow(connector, partsOfPath(path)),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...connector.headers,
        ...signatureHeaders(`evt_${webhookId(key)}`, body, signingKeys),
      },
      body,
    });
  } catch (error) {
    // The receiver has accepted the event; an unusable answer does not matter.
    if (error instanceof ConnectorError && error.outcome === 'done') return;
    throw error instanceof ConnectorError ? error.failure({ isRepeated: true }) : error;
  }
}

type EventReceiver = [connector: Connector, events: NonNullable<Connector['events']>];

/** Null: this worker has no connector for events. Throws for a named one that is missing: the event is retried, not lost. */
function receiverOf(connectors: Connectors, to: string | null): EventReceiver | null {
  const name = to ?? connectors.events;
  if (name === null) return null;
  const connector = connectors.get(name);
  if (connector?.events) return [connector, connector.events];
  throw ApplicationFailure.create({
    type: 'ConnectorUnknown',
    message: `${name} is not a connector for events; the event waits until LOCKERFLOW_CONNECTORS has it`,
  });
}

const webhookId = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 32);

function signatureHeaders(id: string, body: string, keys: readonly string[]): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1_000);
  const content = standardWebhooksContent(id, seconds, body);
  const signatures = keys.map((key) => {
    const signature = createHmac('sha256', standardWebhooksKey(key)).update(content).digest('base64');
    return `v1,${signature}`;
  });
  return {
    [callbackHeaders.webhookId]: id,
    [callbackHeaders.webhookTimestamp]: String(seconds),
    [callbackHeaders.webhookSignature]: signatures.join(' '),
  };
}
