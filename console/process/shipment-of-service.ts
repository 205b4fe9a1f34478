// A shipment as the locker service has it now.
import type { Response } from '../../contract/operations/operations.ts';
import { shipmentAt } from '../../processes/locker-service.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ifKnown } from '../people.ts';

type Shipment = Response<'GetShipments'>['items'][number];

/** Whoever asks within `forMs` has the same answer. Undefined: there is none, or the service does not list them. */
export async function shipmentOfService(
  { service, shared }: Pick<ConsoleParts, 'service' | 'shared'>,
  shipmentUid: string,
  forMs: number,
): Promise<Shipment | undefined> {
  const read = () => ifKnown(() => shipmentAt(service, shipmentUid));
  return await shared.of(`shipment ${shipmentUid} for ${forMs}`, forMs, read);
}
