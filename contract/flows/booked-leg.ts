// What the booking activity needs to know of a leg. The flow's declaration gives it.
import type { Role } from './flow-input.ts';

/** What makes a leg begin, and what evidence can show which shipment the leg is. */
export interface BookedLeg {
  readonly role: Role;
  /** The leg's shipment is request.priorShipmentUid, whether or not the answer's shipmentUids repeat it. */
  readonly isPrior: boolean;
  /**
   * The part of the request that holds the leg's references: `request` is the top level (LocalShipment), the others are
   * objects in it. Null: the leg keeps or inherits the references of another shipment, and the flow never sends its own.
   */
  readonly references: 'request' | 'details' | 'return' | 'issue' | null;
  /**
   * The leg's predecessor in the chain. The evidence is, for a swap: swapsShipmentUid names the predecessor, and the
   * DeliveryCode equals the predecessor's PickUpCode; for a subsequentIntake: priorShipmentUid names the predecessor; for
   * circularStock: circularPriorShipmentUid names the predecessor, and there is no DeliveryCode.
   */
  readonly follows: {
    readonly role: Role;
    readonly link: 'swap' | 'subsequentIntake' | 'circularStock';
  } | null;
}
