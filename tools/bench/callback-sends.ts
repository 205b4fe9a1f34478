// One change of state told to its flow, made and signed so that sending is all that is left: by the Temporal client's own
// signal, or as the service's callback to a receiver.
import { createHmac, randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Pool } from 'undici';
import { callbackHeaders } from '../../contract/wire/callback.ts';

export const KEY = 'a-key-of-the-bench';

export interface Flow {
  readonly workflowId: string;
  readonly shipmentUid: string;
}

export type Send = () => Promise<void>;

const messageOf = (shipmentUid: string, stateCode: string, referenceCaseNo: string | null) => ({
  ...{ shipmentUid, stateCode, stateStart: new Date().toISOString().slice(0, 23) },
  ...{ shipmentType: 'LocalPupShipment', referenceNo: null, referenceCaseNo, description: null },
  ...{ pupUid: 'pup-central', fromUserUid: 'user-anna', toUserUid: 'user-bram' },
});

export function signalSend(client: Client, { workflowId, shipmentUid }: Flow, stateCode: string): Send {
  const received = { receivedAt: new Date().toISOString(), source: 'callback' };
  const report = { ...messageOf(shipmentUid, stateCode, workflowId), ...received };
  const handle = client.workflow.getHandle(workflowId);
  return () => handle.signal('shipmentStatus', report);
}

const hmac = (text: string) => createHmac('sha256', KEY).update(text).digest('base64');

export function callbackSend(
  pool: Pool,
  path: string,
  shipmentUid: string,
  stateCode: string,
  caseNo: string | null,
): Send {
  const body = JSON.stringify({
    messageType: 'ShipmentStatusUpdate',
    message: messageOf(shipmentUid, stateCode, caseNo),
  });
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = {
    'content-type': 'application/json',
    [callbackHeaders.hmac]: hmac(shipmentUid),
    [callbackHeaders.webhookId]: id,
    [callbackHeaders.webhookTimestamp]: timestamp,
    [callbackHeaders.webhookSignature]: `v1,${hmac(`${id}.${timestamp}.${body}`)}`,
  };
  return async () => {
    const { statusCode, body: answer } = await pool.request({ method: 'POST', path, headers, body });
    await answer.dump();
    if (statusCode !== 204) throw new Error(`a callback was answered ${statusCode}`);
  };
}
