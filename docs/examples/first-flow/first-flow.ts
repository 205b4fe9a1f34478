// The flagship flow from its beginning to its end, against `npm start`: a device goes into stock, Anna takes it, brings it
// back, and it is stock again. Run it with `npm run example`. In a project of your own, import from 'lockerflow/client' and
// 'lockerflow/api'.
import { randomUUID } from 'node:crypto';
import { connectTemporal, LockerFlows } from '../../../client/index.ts';
import { LockerApi } from '../../../shared/locker-api/index.ts';

// Where `npm start` has the service, and the demo tenant. Temporal is found by TEMPORAL_ADDRESS.
const apiUrl = process.env.LOCKER_API_URL ?? `http://127.0.0.1:${process.env.SERVICE_PORT ?? 8080}`;
await using api = new LockerApi({
  apiUrl,
  authUrl: process.env.LOCKER_AUTH_URL ?? apiUrl,
  clientId: process.env.LOCKER_CLIENT_ID ?? 'demo',
  clientSecret: process.env.LOCKER_CLIENT_SECRET ?? 'demo-secret',
});
const temporal = await connectTemporal();
const { LOCKERFLOW_TASK_QUEUE: taskQueue = 'lockerflow' } = process.env;
const flows = new LockerFlows(temporal.client, { taskQueue });
try {
  console.log(JSON.stringify(await loan(await stockUid()), null, 2));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}`);
  console.error(`The locker service is expected at ${apiUrl} (LOCKER_API_URL); npm start starts it`);
  process.exitCode = 1;
} finally {
  await temporal.close();
}

/** A device comes into a locker by the flow Stock. Its shipment is what the loan is of. */
async function stockUid(): Promise<string> {
  const flow = await flows.start('Stock', newKey('stock'), {
    request: {
      pupUid: 'pup-central',
      dimension: { width: 20, height: 5, length: 30 },
      allowLargerLockers: true,
      allowOverflowLockers: true,
    },
  });
  for await (const { shipments, waitingFor } of flow.follow()) {
    tell('stock', waitingFor);
    if (shipments.stock?.stateCode === 'ReadyForDropoff')
      await beAtTheLocker(shipments.stock.shipmentUid, 'deliveryCode');
  }
  const { stock } = (await flow.result()).shipments;
  if (!stock) throw new Error('the flow Stock ended without its shipment; expected one with the role stock');
  return stock.shipmentUid;
}

async function loan(priorShipmentUid: string): Promise<unknown> {
  const flow = await flows.start('IssueFromStockAndSubsequentIntakeAndCircularStock', newKey('loan'), {
    request: { priorShipmentUid, toUserUid: 'user-anna' },
    deadlines: { issue: { pickUp: 'P3D' }, intake: { dropOff: 'P14D' } },
  });
  for await (const { shipments, waitingFor } of flow.follow()) {
    tell('loan', waitingFor);
    const { issue, intake } = shipments;
    if (issue?.stateCode === 'ReadyForPickup') await beAtTheLocker(issue.shipmentUid, 'pickUpCode');
    if (intake?.stateCode === 'ReadyForDropoff') await beAtTheLocker(intake.shipmentUid, 'deliveryCode');
  }
  return await flow.result();
}

/** The person at the locker types the access code. Only a service in staging lets a program do that. */
async function beAtTheLocker(shipmentUid: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
  const { items } = await api.call('GetShipments', { shipmentUid, pageNo: 1, pageSize: 1 });
  const codes = await api.call('GetShipmentAccessCode', { shipmentUid });
  const [shipment] = items;
  const pinCode = codes[code];
  // The flow hears of an opened locker by a callback: until then it may still tell the state before.
  const awaited = code === 'deliveryCode' ? 'ReadyForDropoff' : 'ReadyForPickup';
  if (shipment?.stateCode !== awaited || !shipment.pupUid || !shipment.lockerName || !pinCode) return;
  const { pupUid, lockerName } = shipment;
  console.log(`  somebody opens locker ${lockerName} of ${pupUid}`);
  await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode });
}

function tell(name: string, [next]: readonly { readonly words: string }[]): void {
  console.log(`${name}: ${next ? `waiting for ${next.words}` : 'ended'}`);
}

/** A key of your business: an order, a ticket, a loan. The same key again is the same flow. */
function newKey(of: string): string {
  return `example-${of}-${randomUUID().slice(0, 8)}`;
}
