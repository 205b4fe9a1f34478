// The demo of `npm start`: the flagship flow once, with simulated people at the locker, reported step by step. A device
// is stock; Anna takes it, brings it back, and it is stock again.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connectTemporal } from '../client/connect.ts';
import type { FlowHandle } from '../client/flow-handle.ts';
import { LockerFlows } from '../client/locker-flows.ts';
import type { Progress } from '../contract/flows/flow-answers.ts';
import type { Role } from '../contract/flows/flow-input.ts';
import type { FlowResult, LegResult } from '../contract/flows/flow-result.ts';
import type { LockerSettings } from '../local/api-settings.ts';
import { say } from '../local/components/component.ts';
import { LOOPBACK } from '../local/ports.ts';
import type { LocalSettings } from '../local/settings.ts';
import type { LockerApi } from '../shared/locker-api/index.ts';

const PICK_UP_POINT = 'pup-central';
const DEVICE = 'demo-laptop';
const IN_STOCK: ReadonlySet<string> = new Set(['WaitForReceiver', 'ReadyForPickup']);
// Milliseconds, so that a person can read along; the flow itself takes a fraction of it.
const READING_PAUSE = 700;

interface DemoOptions {
  readonly api: LockerApi;
  readonly temporalUiUrl: string;
  /** The address of the console, to which Temporal's Web UI links the process. */
  readonly consoleUrl: string | undefined;
  readonly asked: AbortSignal;
  readonly say: (line: string) => void;
}

/** A person's action at the locker when a shipment is in a state. */
interface DemoStep {
  readonly role: Role;
  readonly stateCode: string;
  readonly code: 'deliveryCode' | 'pickUpCode';
  readonly words: string;
}

/** If it fails, everything else keeps running. */
export async function playDemo(
  { temporalPort, temporalUiPort }: LocalSettings,
  locker: LockerSettings,
  asked: AbortSignal,
  consoleUrl?: string,
): Promise<void> {
  process.env.TEMPORAL_ADDRESS = `${LOOPBACK}:${temporalPort}`;
  await using api = locker.api();
  await playWith({
    api,
    temporalUiUrl: `http://${LOOPBACK}:${temporalUiPort}`,
    consoleUrl,
    asked,
    say: (words) => say('demo', words),
  }).catch((error: Error) => {
    if (!asked.aborted)
      say('demo', `the demo failed, everything else keeps running: ${error.message}`, 'error');
  });
}

async function playWith(options: DemoOptions): Promise<void> {
  const { temporalUiUrl, say } = options;
  const { client, close } = await connectTemporal();
  try {
    const flows = new LockerFlows(client, { consoleUrl: options.consoleUrl });
    const priorShipmentUid = (await deviceInStock(options)) ?? (await stockADevice(flows, options));
    const handle = await flows.start(
      'IssueFromStockAndSubsequentIntakeAndCircularStock',
      `demo-${randomUUID().slice(0, 8)}`,
      {
        request: { priorShipmentUid, toUserUid: 'user-anna' },
        deadlines: { issue: { pickUp: 'P3D' }, intake: { dropOff: 'P14D' } },
      },
    );
    const address = `${temporalUiUrl}/namespaces/default/workflows/${encodeURIComponent(handle.workflowId)}`;
    say(`issue from stock, subsequent intake, circular stock: ${address}`);
    await play(handle, options, [
      { role: 'issue', stateCode: 'ReadyForPickup', code: 'pickUpCode', words: 'Anna takes the device out' },
      { role: 'intake', stateCode: 'ReadyForDropoff', code: 'deliveryCode', words: 'Anna brings it back' },
    ]);
    const { outcome, shipments } = await handle.result();
    say(`${outcome}: ${statesOf(shipments)}`);
    say(`see how it went: ${address}`);
  } finally {
    await close();
  }
}

/** The device of an earlier demo, if it is still in its locker: it is used again, so that the wall never fills up. */
async function deviceInStock({ api, asked, say }: DemoOptions): Promise<string | undefined> {
  const query = {
    referenceNo: DEVICE,
    activeShipments: true,
    sortBy: 'CreatedDesc',
    pageNo: 1,
    pageSize: 100,
  } as const;
  const { items } = await api.call('GetShipments', query, { signal: asked });
  const stock = items.find(({ stateCode, toUserUid }) => toUserUid === null && IN_STOCK.has(stateCode ?? ''));
  if (stock?.shipmentUid) say(`a device is in stock in locker ${stock.lockerName} of ${stock.pupUid}`);
  return stock?.shipmentUid ?? undefined;
}

/** With the flow Stock, which is done when the dispatcher has put the device in. */
async function stockADevice(flows: LockerFlows, options: DemoOptions): Promise<string> {
  const handle = await flows.start('Stock', `demo-stock-${randomUUID().slice(0, 8)}`, {
    request: {
      pupUid: PICK_UP_POINT,
      dimension: { width: 20, height: 5, length: 30 },
      allowLargerLockers: true,
      allowOverflowLockers: false,
      details: { referenceNo: DEVICE, description: 'Laptop' },
    },
  });
  const words = `the dispatcher puts a device into a locker of ${PICK_UP_POINT}`;
  await play(handle, options, [{ role: 'stock', stateCode: 'ReadyForDropoff', code: 'deliveryCode', words }]);
  const { stock } = (await handle.result()).shipments;
  if (!stock)
    throw new TypeError('the flow Stock ended without its shipment, expected one with the role stock');
  return stock.shipmentUid;
}

/** Follows the flow to its end, reports each change, and acts for the people. */
async function play(
  handle: FlowHandle<FlowResult>,
  { api, asked, say }: DemoOptions,
  steps: readonly DemoStep[],
): Promise<void> {
  const left = [...steps];
  for await (const progress of handle.follow({ everyMs: 50, signal: asked })) {
    say(`  ${lineOf(progress)}`);
    const [next] = left;
    const shipment = next && progress.shipments[next.role];
    if (!next || shipment?.stateCode !== next.stateCode) continue;
    left.shift();
    await pause(READING_PAUSE, undefined, { signal: asked });
    say(`${next.words}`);
    await openLocker(api, shipment, next.code, asked);
  }
}

async function openLocker(
  api: LockerApi,
  { shipmentUid, pupUid, lockerName }: LegResult,
  code: DemoStep['code'],
  signal: AbortSignal,
): Promise<void> {
  const codes = await api.call('GetShipmentAccessCode', { shipmentUid }, { signal });
  const pinCode = codes[code];
  if (!pupUid || !lockerName || !pinCode)
    throw new TypeError(`shipment ${shipmentUid} has no locker or no ${code}, expected both while it waits`);
  await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode }, { signal });
}

function lineOf({ shipments, waitingFor }: Progress): string {
  const states = statesOf(shipments);
  return [states || 'booking', ...waitingFor.slice(0, 1).map(({ words }) => `waiting for ${words}`)].join(
    '; ',
  );
}

function statesOf(shipments: Progress['shipments'] | FlowResult['shipments']): string {
  return Object.entries(shipments)
    .map(([role, { stateCode }]) => `${role} ${stateCode ?? 'not known'}`)
    .join(', ');
}
