// Loans of the example DeviceLoan, each of a file with a name of its own, at an installation.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { vi } from 'vitest';
import type { FlowFileHandle } from '../../client/flow-files/flow-file-handle.ts';
import type { FlowFileProgress } from '../../flows/language/machine/progress.ts';
import type { Installation } from './installation.ts';

const file = await readFile(
  new URL('../../docs/examples/flow-files/device-loan.flow.yaml', import.meta.url),
  'utf8',
);
export const patience = { timeout: 60_000, interval: 20 };
export const BORROWER = 'user-anna';

export interface Loan {
  readonly key: string;
  readonly handle: FlowFileHandle;
}

export async function lend(
  at: Installation,
  { spare, ...started }: { readonly spare?: string; readonly clock?: 'sandbox' } = {},
): Promise<Loan> {
  const name = `DeviceLoan${randomUUID().slice(0, 8)}`;
  const text = file.replace('name: DeviceLoan', `name: ${name}`);
  await at.flows.publish([{ path: 'device-loan.flow.yaml', text }]);
  const key = `loan-${randomUUID()}`;
  const request = { item: await at.people.newStock(), user: BORROWER, ...(spare && { spare }) };
  return { key, handle: await at.flows.startPublished(name, key, { request, ...started }) };
}

export const untilLoan = ({ handle }: Loan, holds: (progress: FlowFileProgress) => boolean) =>
  vi.waitUntil(async () => {
    const progress = await handle.progress().catch(() => undefined);
    return progress && holds(progress) && progress;
  }, patience);

/** What the process has booked by this invoke, as soon as it says so. */
export const bookingOf = (loan: Loan, id = 'loan') =>
  vi.waitUntil(async () => {
    const progress = await loan.handle.progress().catch(() => undefined);
    return progress?.bookings.find((each) => each.id === id) ?? false;
  }, patience);

/** The uid of a leg, as soon as its process knows it. */
export const uidOf = (loan: Loan, role: 'issue' | 'intake', id = 'loan') =>
  vi.waitUntil(async () => (await bookingOf(loan, id)).shipments[role]?.shipmentUid ?? false, patience);
