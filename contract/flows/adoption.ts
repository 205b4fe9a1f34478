// What the reservation of an adopted shipment is started with: a shipment that a flow found in the service's listing after the
// answer to its booking was lost.

export interface Adoption {
  readonly shipmentUid: string;
  /** The business key of the flow that adopted it. */
  readonly by: string;
}

/** Another flow that wants the shipment reads it, without a worker. */
export type AdoptionMemo = Pick<Adoption, 'by'>;
