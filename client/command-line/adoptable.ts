// What can be checked of shipments before a flow adopts them: no other open flow has them, and the service knows them.
import { holdersOf, runningAmong } from '../../activities/routing/owners.ts';
import { CommandFailed } from '../../runtime/terminal/exit-codes.ts';
import type { Terminal } from '../../runtime/terminal/terminal.ts';
import { atLockerService } from './locker-service.ts';
import type { AtTemporal } from './temporal.ts';

/** A question for the person who adopts, or what could not be checked. Throws CommandFailed for an unknown shipment. */
export async function adoptable(
  { client }: AtTemporal,
  terminal: Terminal,
  workflowId: string,
  shipmentUids: readonly string[],
): Promise<{ question?: string; note?: string }> {
  const note = await unknownToService(terminal, shipmentUids);
  const holders = await holdersOf(client, shipmentUids);
  const held = shipmentUids.flatMap((uid) => {
    const others = runningAmong(holders.get(uid) ?? []).filter((key) => key !== workflowId);
    return others.length === 0 ? [] : [`${uid} is a shipment of ${others.join(', ')}`];
  });
  return {
    ...(note && { note }),
    ...(held.length > 0 && { question: `${held.join('; ')}: adopt it for ${workflowId} anyway?` }),
  };
}

/** Why that could not be checked; null: it was. */
async function unknownToService(terminal: Terminal, shipmentUids: readonly string[]): Promise<string | null> {
  try {
    await atLockerService(terminal, async (api) => {
      for (const shipmentUid of shipmentUids) {
        const { items } = await api.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid });
        if (!items.some((each) => each.shipmentUid === shipmentUid)) throw new Unknown(shipmentUid);
      }
    });
    return null;
  } catch (error) {
    if (error instanceof Unknown) throw error;
    // The decision is a person's: a service that cannot be asked does not keep a flow waiting.
    if (error instanceof CommandFailed)
      return `the service could not be asked whether it has this shipment (${error.message}); run lockerflow compare later`;
    throw error;
  }
}

class Unknown extends CommandFailed {
  constructor(shipmentUid: string) {
    super('failed', `the service has no shipment ${shipmentUid}; expected one that it has booked`);
  }
}
