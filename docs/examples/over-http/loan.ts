// A shipment from its beginning to its end over HTTP, against `npm start`: no Temporal SDK and nothing of lockerflow, only
// types that openapi-typescript made of /openapi.json. Run it with `node docs/examples/over-http/loan.ts`.
import { randomUUID } from 'node:crypto';
import type { components, paths } from './processes.d.ts';

type Start = components['schemas']['IssueStart'];
type Process = components['schemas']['IssueProcess'];
type Started = paths['/v1/processes']['post']['responses']['200']['content']['application/json'];

const service = process.env.LOCKER_API_URL ?? `http://127.0.0.1:${process.env.SERVICE_PORT ?? 8080}`;
const api = process.env.CONSOLE_URL ?? `http://127.0.0.1:${process.env.CONSOLE_PORT ?? 8088}`;
const { API_CLIENT_ID: client = 'demo-flows', API_CLIENT_SECRET: secret = 'demo-flows-secret' } = process.env;

const programToken = await tokenOf(client, secret);
// The person at the locker is played by the tenant of the locker service: only a service in staging lets a program do that.
const tenantToken = await tokenOf('demo', 'demo-secret');

const start: Start = {
  flow: 'Issue',
  key: `example-${randomUUID().slice(0, 8)}`,
  request: {
    pupUid: 'pup-central',
    toUserUid: 'user-anna',
    dimension: { width: 20, height: 5, length: 30 },
    allowLargerLockers: true,
    allowOverflowLockers: true,
  },
};
let loan = (await asked('POST', '/v1/processes', start)) as Started as Process;
while (loan.status === 'Running') {
  const shipment = loan.progress?.shipments.issue;
  console.log(`${loan.key}: ${shipment?.stateCode ?? 'booking'}`);
  if (shipment?.stateCode === 'ReadyForDropoff') await beAtTheLocker(shipment, 'deliveryCode');
  if (shipment?.stateCode === 'ReadyForPickup') await beAtTheLocker(shipment, 'pickUpCode');
  // Reads it again when it has ended, or after 2 s: a start with the same key and input is the same process.
  loan = (await asked('POST', '/v1/processes', start, { prefer: 'wait=2' })) as Process;
}
console.log(JSON.stringify(loan.result ?? loan.failure, null, 2));

async function asked(method: string, path: string, body: unknown, headers = {}): Promise<unknown> {
  const answer = await fetch(api + path, {
    method,
    headers: { authorization: `Bearer ${programToken}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (answer.ok) return await answer.json();
  const { code, detail } = (await answer.json()) as components['schemas']['Problem'];
  throw new Error(`${code}: ${detail}`);
}

async function tokenOf(clientId: string, clientSecret: string): Promise<string> {
  const answer = await fetch(`${service}/connect/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`${clientId} gets no token of ${service}`);
  return token;
}

interface AtLocker {
  readonly shipmentUid: string;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

async function beAtTheLocker(
  { shipmentUid, pupUid, lockerName }: AtLocker,
  code: 'deliveryCode' | 'pickUpCode',
) {
  const codes = await ofService('GetShipmentAccessCode', { shipmentUid });
  const pinCode = codes[code];
  if (!pinCode) return;
  console.log(`  somebody opens locker ${lockerName} of ${pupUid}`);
  await ofService('SimulateLockerAccess', { pupUid, lockerName, pinCode });
}

async function ofService(operation: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service}/v1/Logistics/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenantToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
}
