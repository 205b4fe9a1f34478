// A leg of a flow as its booking needs it: said by the flow's declaration to the booking activity.
import type { Role } from './flow-input.ts';

/** What makes a leg begin, and what evidence there can be of which shipment it is. Declared by the flow. */
export interface BookedLeg {
  readonly role: Role;
  /** Its uid is request.priorShipmentUid, whether or not the answer's shipmentUids repeat it. */
  readonly isPrior: boolean;
  /**
   * Which part of the request its references come from: `request` = the top level (LocalShipment), else that object.
   * Null: it keeps or inherits another shipment's, and the flow never puts its own there.
   */
  readonly references: 'request' | 'details' | 'return' | 'issue' | null;
  /**
   * Its predecessor in the chain. Evidence: swap: its swapsShipmentUid is the predecessor, and its DeliveryCode equals
   * the predecessor's PickUpCode; subsequentIntake: its priorShipmentUid is the predecessor; circularStock: its
   * circularPriorShipmentUid is the predecessor, and it has no DeliveryCode.
   */
  readonly follows: {
    readonly role: Role;
    readonly link: 'swap' | 'subsequentIntake' | 'circularStock';
  } | null;
}
