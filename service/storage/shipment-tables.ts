// The columns of lockers, shipments, access codes, events and idempotency keys, as kysely sees them.
// The migrations are the schema; this file only says it again in types.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ShipmentType, StateCode } from '../../contract/index.ts';
import type { Link } from '../../machines/chain-shipments.ts';
import type { Created } from './tables.ts';

export interface LockerSizeTable {
  locker_size_id: Generated<number>;
  pick_up_point_id: number;
  size: string;
  small_side: number;
  middle_side: number;
  large_side: number;
  volume: GeneratedAlways<number>;
}

export interface LockerTable {
  locker_id: Generated<number>;
  locker_uid: string;
  tenant_id: number;
  pick_up_point_id: number;
  locker_size_id: number;
  locker_name: string;
  out_of_order: Generated<boolean>;
  to_be_emptied: Generated<boolean>;
  chain_id: number | null;
  left_shipment_id: number | null;
}

export interface LockerAccessTable {
  access_id: GeneratedAlways<number>;
  tenant_id: number;
  locker_id: number;
  shipment_id: number;
  access_goal: 'DropOff' | 'PickUp' | null;
  operation: string;
  client_id: string | null;
  occurred_at: Date;
}

export interface ShipmentTable {
  shipment_id: Generated<number>;
  shipment_uid: string;
  tenant_id: number;
  chain_id: number;
  shipment_type: ShipmentType;
  state_code: StateCode;
  state_start: Date;
  updated_at: Date;
  reference_no: string | null;
  reference_case_no: string | null;
  description: string | null;
  from_account_id: number | null;
  to_account_id: number | null;
  requested_pick_up_point_id: number;
  pick_up_point_id: number;
  locker_id: number;
  small_side: number;
  middle_side: number;
  large_side: number;
  allow_larger_lockers: boolean;
  allow_overflow_lockers: boolean;
  keep_booked_after_pick_up: boolean;
  predecessor_id: number | null;
  link: Link | null;
  from_follows_predecessor_receiver: boolean;
  /** Null: booked before this was recorded. */
  is_stock: boolean;
  pick_up_code: string | null;
  delivery_code: string | null;
}

export interface AccessCodeTable {
  pick_up_point_id: number;
  code: string;
  locker_id: number;
}

export interface ShipmentObjectTable {
  shipment_object_id: GeneratedAlways<number>;
  shipment_object_uid: string;
  shipment_id: number;
  reference_no: string | null;
  description: string | null;
  weight_grams: number | null;
  count: number | null;
  width: number | null;
  height: number | null;
  length: number | null;
  created_at: Created;
}

export interface ShipmentEventTable {
  event_id: GeneratedAlways<number>;
  tenant_id: number;
  shipment_id: number;
  shipment_uid: string;
  state_code: StateCode;
  state_start: Date;
  shipment_type: ShipmentType;
  reference_no: string | null;
  reference_case_no: string | null;
  description: string | null;
  pup_uid: string;
  from_user_uid: string | null;
  to_user_uid: string | null;
  created_at: Created;
  is_pending: boolean;
  delivered_at: Date | null;
  attempts: number | null;
  answer_status: number | null;
  access_goal: 'DropOff' | 'PickUp' | null;
  accessed_at: Date | null;
}

export interface IdempotencyKeyTable {
  tenant_id: number;
  operation: string;
  key_hash: Buffer;
  request_hash: Buffer;
  response: ColumnType<unknown, string, string>;
  created_at: Created;
}

export interface SandboxSwitchesTable {
  tenant_id: number;
  switches: ColumnType<unknown, string, string>;
}

export interface SimulatedDoorTable {
  locker_id: number;
  fault: 'stuck' | 'offline' | null;
  opened_at: Date | null;
  openings: Generated<number>;
}
