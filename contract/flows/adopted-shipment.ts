// The input of the workflow that reserves an adopted shipment: one that a flow found in the service's listing after the
// answer to its booking was lost.

export interface Adoption {
  readonly shipmentUid: string;
  /** The business key of the flow that adopted the shipment. */
  readonly by: string;
  /** Which booking of its process, where that has others. */
  readonly booking?: string;
}

/** Another flow that finds the shipment reads this memo; no worker is needed for that. */
export type AdoptionMemo = Pick<Adoption, 'by' | 'booking'>;
