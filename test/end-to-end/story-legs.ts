// What a story comes to in the database: which stored shipment is which leg of its flow, and what the flow is asked for.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { StoredShipment } from '../support/chains/stored-shipments.ts';
import type { Priors } from './priors.ts';
import type { Story } from './stories.ts';

export const dimension = { width: 10, height: 10, length: 10 };

export type Legs = ReadonlyMap<Role, StoredShipment>;

/** Of all shipments at the story's pick up point, those of the legs, as far as there are any. */
export function legsOf(
  story: Story,
  priors: Priors | undefined,
  before: readonly StoredShipment[],
  all: readonly StoredShipment[],
): Legs {
  const isNew = ({ shipmentUid }: StoredShipment) => !before.some((each) => each.shipmentUid === shipmentUid);
  const legs = Object.entries(story.legs).map(([role, link]) => {
    const isIt = (shipment: StoredShipment) =>
      link === 'prior' ? shipment.shipmentUid === priors?.prior : isNew(shipment) && shipment.link === link;
    return [role as Role, all.find(isIt)] as const;
  });
  return new Map(legs.filter((leg): leg is [Role, StoredShipment] => leg[1] !== undefined));
}

/** Where nothing new is booked, the booking is that the prior has a receiver. */
export function areBooked(story: Story, legs: Legs): boolean {
  const isIssued = legs.get('issue')?.toUserUid !== null;
  return legs.size === Object.keys(story.legs).length && isIssued;
}

export function requestOf(story: Story, priors: Priors | undefined, booking: object): object {
  if (Object.values(story.legs).includes('prior')) {
    const dimensions = story.flow === 'StockAfterSwapIntake' ? { dimension } : {};
    return { priorShipmentUid: priors?.prior, ...dimensions, ...story.request };
  }
  const swap = priors ? { swapsShipmentUid: priors.prior } : {};
  return { ...booking, ...swap, ...story.request };
}
