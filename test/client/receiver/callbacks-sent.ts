// Callbacks as a sender makes them: signed by the standardwebhooks package and by openssl, neither of them ours.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { callbackHeaders } from '../../../contract/wire/callback.ts';
import { CALLBACK_KEY } from './flows-and-receiver.ts';

export interface Sent {
  readonly headers: Record<string, string>;
  readonly body: string;
}

export function bodyOf(shipmentUid: string, stateCode: string, more: Record<string, unknown> = {}): string {
  const stateStart = new Date().toISOString().slice(0, 23);
  return JSON.stringify({
    messageType: 'ShipmentStatusUpdate',
    message: { shipmentUid, stateCode, stateStart, shipmentType: 'LocalPupShipment', ...more },
  });
}

/** Many callbacks tell of the same shipment, and a program takes its time to start. */
const known = new Map<string, Buffer>();

export function hmacByOpenssl(key: string, text: string, digest = 'sha256'): Buffer {
  const asked = JSON.stringify([key, text, digest]);
  const hmac = known.get(asked) ?? askOpenssl(key, text, digest);
  known.set(asked, hmac);
  return hmac;
}

function askOpenssl(key: string, text: string, digest: string): Buffer {
  const args = [
    'dgst',
    `-${digest}`,
    '-mac',
    'HMAC',
    '-macopt',
    `hexkey:${Buffer.from(key).toString('hex')}`,
    '-binary',
  ];
  return execFileSync('openssl', args, { input: text });
}

export function signed(
  shipmentUid: string,
  body: string,
  { key = CALLBACK_KEY, at = new Date() } = {},
): Sent {
  const id = `msg_${randomUUID()}`;
  return {
    body,
    headers: {
      'content-type': 'application/json',
      [callbackHeaders.hmac]: hmacByOpenssl(key, shipmentUid).toString('base64'),
      [callbackHeaders.webhookId]: id,
      [callbackHeaders.webhookTimestamp]: String(Math.floor(at.getTime() / 1_000)),
      [callbackHeaders.webhookSignature]: new Webhook(key).sign(id, at, body),
    },
  };
}

export async function post(url: string, { headers, body }: Sent): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body });
}
