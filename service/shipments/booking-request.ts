// The common booking fields of the operations that book a locker (interface: Shipment creation, general rules).
import type { Box } from '../sides.ts';

export interface BookingRequest {
  readonly pupUid: string;
  readonly lockerUid?: string | null | undefined;
  readonly dimension: Box;
  readonly allowLargerLockers: boolean;
  readonly allowOverflowLockers: boolean;
}
