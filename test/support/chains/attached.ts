// What is kept with the shipments of a chain and decides nothing, as it must be by now: their details and objects
// (interface: SetShipmentDetails, AddShipmentObject, RemoveShipmentObject; assumptions: States).

import type { ErrorCode } from '../../../contract/wire/errors.ts';
import { isActive } from '../../../machines/chart.ts';
import type { Details } from '../../../service/shipments/planned-shipment.ts';
import type { Reply } from '../caller.ts';
import type { Call } from './chain-calls.ts';
import type { ShipmentObject, StoredShipment } from './stored-shipments.ts';

export type ObjectFields = Omit<ShipmentObject, 'shipmentObjectUid'>;

/** A call on the shipment at a place among the chain's, ended ones included. */
export type Attachment = { readonly shipment: number } & (
  | { readonly type: 'describe'; readonly details: Details }
  | { readonly type: 'addObject'; readonly object: ObjectFields }
  /** Of all objects of the chain, or one that nobody has. */
  | { readonly type: 'removeObject'; readonly object: number }
);

interface Attaching extends Call {
  readonly error?: ErrorCode | undefined;
  /** What a success makes of it. */
  readonly done: (reply: Reply) => void;
}

const noDetails: Details = { referenceNo: null, referenceCaseNo: null, description: null };
const noFields: ObjectFields = {
  referenceNo: null,
  description: null,
  weight: null,
  count: null,
  dimension: null,
};

export class Attached {
  readonly #details = new Map<string, Details>();
  readonly #objects = new Map<string, readonly ShipmentObject[]>();

  detailsOf(shipmentUid: string): Details {
    return this.#details.get(shipmentUid) ?? noDetails;
  }

  objectsOf(shipmentUid: string): readonly ShipmentObject[] {
    return this.#objects.get(shipmentUid) ?? [];
  }

  /** assumptions: Chains: circular stock without Details has those of the stock as they stand at its booking. */
  inherit(shipmentUid: string, fromUid: string): void {
    this.#details.set(shipmentUid, this.detailsOf(fromUid));
  }

  /** With the uid that the answer gives it. */
  add(shipmentUid: string, { body }: Reply, fields: ObjectFields = noFields): void {
    const added = { ...fields, shipmentObjectUid: String(body.shipmentObjectUid) };
    this.#objects.set(shipmentUid, [...this.objectsOf(shipmentUid), added]);
  }

  attaching(attachment: Attachment, chain: readonly StoredShipment[]): Attaching {
    const shipment = chain[attachment.shipment % chain.length];
    if (!shipment) throw new TypeError('expected a chain that has been booked');
    const { shipmentUid } = shipment;
    const error = isActive(shipment.stateCode) ? undefined : 'InvalidShipmentState';
    switch (attachment.type) {
      case 'describe': {
        const { details } = attachment;
        // assumptions: States, How SetShipmentDetails removes a number.
        const { referenceNo, referenceCaseNo, description } = details;
        const stored = {
          referenceNo: referenceNo || null,
          referenceCaseNo: referenceCaseNo || null,
          description,
        };
        const done = () => void this.#details.set(shipmentUid, stored);
        return { name: 'SetShipmentDetails', body: { shipmentUid, ...details }, error, done };
      }
      case 'addObject': {
        const { object } = attachment;
        const done = (reply: Reply) => this.add(shipmentUid, reply, object);
        return { name: 'AddShipmentObject', body: { shipmentUid, details: object }, error, done };
      }
      case 'removeObject': {
        const own = this.objectsOf(shipmentUid);
        const all = chain.flatMap((each) => this.objectsOf(each.shipmentUid));
        const uids = [...all.map((object) => object.shipmentObjectUid), 'nothing'];
        const shipmentObjectUid = uids[attachment.object % uids.length];
        const isOwn = own.some((object) => object.shipmentObjectUid === shipmentObjectUid);
        const left = own.filter((object) => object.shipmentObjectUid !== shipmentObjectUid);
        return {
          name: 'RemoveShipmentObject',
          body: { shipmentUid, shipmentObjectUid },
          error: error ?? (isOwn ? undefined : 'InvalidShipmentObject'),
          done: () => void this.#objects.set(shipmentUid, left),
        };
      }
    }
  }
}
