// The example ItemLife with everything real: one device over several loans, its whole custody in the process, and a loan
// that fails, after which a person says where the device is.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import type { FlowFileHandle } from '../../client/flow-files/flow-file-handle.ts';
import type { FlowFileProgress } from '../../flows/language/machine/progress.ts';
import { type Installation, ourService } from './installation.ts';
import { useInstallation } from './use-installation.ts';

const installation = useInstallation(ourService);
const file = await readFile(
  new URL('../../docs/examples/flow-files/item-life.flow.yaml', import.meta.url),
  'utf8',
);
const patience = { timeout: 60_000, interval: 50 };

interface Custody {
  readonly stock: string;
  readonly holder: string | null;
  readonly custody: readonly { readonly no: number; readonly user: string; readonly back: string }[];
}

class Life {
  readonly #at: Installation;
  readonly #handle: FlowFileHandle;
  #events = 0;

  private constructor(at: Installation, handle: FlowFileHandle) {
    this.#at = at;
    this.#handle = handle;
  }

  /** The device lies in a locker of its own as stock. */
  static async begin(at: Installation): Promise<Life> {
    const name = `ItemLife${randomUUID().slice(0, 8)}`;
    await at.flows.publish([
      { path: 'item-life.flow.yaml', text: file.replace('name: ItemLife', `name: ${name}`) },
    ]);
    const item = await at.people.newStock();
    return new Life(at, await at.flows.startPublished(name, `device-${randomUUID()}`, { request: { item } }));
  }

  async tell(type: string, data = {}): Promise<void> {
    this.#events += 1;
    await this.#handle.sendEvent({ type, id: `event-${this.#events}`, data });
  }

  progress(): Promise<FlowFileProgress> {
    return this.#at.client.workflow
      .getHandle(this.#handle.workflowId)
      .query<FlowFileProgress, [object]>('progress', { context: true });
  }

  until(state: string): Promise<FlowFileProgress> {
    return vi.waitUntil(async () => {
      const progress = await this.progress().catch(() => undefined);
      return progress?.state === state && progress;
    }, patience);
  }

  async custody(): Promise<Custody> {
    return (await this.progress()).context as unknown as Custody;
  }

  /** The flow of a loan, by its number among the loans. */
  loan(number: number) {
    const id = `${this.#handle.workflowId}/loan${number === 1 ? '' : `/${number}`}`;
    return this.#at.flows.handle<'IssueFromStockAndSubsequentIntakeAndCircularStock'>(id);
  }

  /** The user takes the device out of its locker, and brings it back. */
  async borrow(number: number): Promise<void> {
    const { shipments } = await vi.waitUntil(async () => {
      const progress = await this.loan(number)
        .progress()
        .catch(() => undefined);
      return progress?.shipments.intake?.shipmentUid !== undefined && progress;
    }, patience);
    await this.#at.people.pickUp(`${shipments.issue?.shipmentUid}`);
    await this.#at.people.dropOff(`${shipments.intake?.shipmentUid}`);
  }

  answer(values: Readonly<Record<string, string>>): Promise<void> {
    return this.#handle.answer({ values, by: 'anna' });
  }

  result(): Promise<unknown> {
    return this.#handle.result();
  }
}

test('a device is lent twice, and its process always shows where it is and who had it', async () => {
  const life = await Life.begin(installation());
  await life.until('inStock');
  await life.tell('device.wanted', { user: 'user-anna' });
  await life.until('onLoan');
  expect(await life.custody()).toMatchObject({ holder: 'user-anna', custody: [] });
  await life.borrow(1);
  await life.until('inStock');
  const first = await life.custody();
  expect(first).toMatchObject({
    holder: null,
    custody: [{ no: 1, user: 'user-anna', back: expect.any(String) }],
  });
  // The shipment that holds it now is in the database as it is in the process.
  expect(await installation().people.shipment(first.stock)).toMatchObject({ stateCode: 'ReadyForPickup' });

  await life.tell('device.wanted', { user: 'user-bram' });
  await life.until('onLoan');
  await life.borrow(2);
  await life.until('inStock');
  await life.tell('item.retired');
  expect(await life.result()).toMatchObject({ loans: 2, custody: [{ no: 1 }, { no: 2, user: 'user-bram' }] });
});

test('a loan that fails asks a person where the device is, and life goes on from there', {
  tags: 'long',
}, async () => {
  const life = await Life.begin(installation());
  await life.until('inStock');
  const { stock } = await life.custody();
  await life.tell('device.wanted', { user: 'nobody' });
  const { questions } = await life.until('seenTo');
  expect(questions).toMatchObject([{ id: 'whereabouts', of: 'stock-keeper' }]);
  await life.answer({ stock });
  await life.until('inStock');
  await life.tell('device.wanted', { user: 'user-anna' });
  await life.until('onLoan');
  await life.borrow(2);
  await life.until('inStock');
  await life.tell('item.retired');
  expect(await life.result()).toMatchObject({ loans: 1 });
});
