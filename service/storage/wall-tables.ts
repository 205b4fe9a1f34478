// The columns of the walls' tables, as kysely sees them. The migrations are the schema.
import type { Generated } from 'kysely';

export interface WallTable {
  pick_up_point_id: number;
  journal: string | null;
  taken: Generated<number>;
  session_id: string | null;
  instance_id: string | null;
  seen_at: Date | null;
  offline_salt: Generated<string | null>;
  offline_salt_at: Generated<Date | null>;
  offline_wrong_codes: Generated<number>;
}

export interface DoorCommandTable {
  command_id: string;
  tenant_id: number;
  pick_up_point_id: number;
  locker_id: number;
  /** Null: opened by an offline list that the service never gave. */
  shipment_uid: string | null;
  event_type: 'ItemDroppedOff' | 'ItemPickedUp' | null;
  /** The item that is picked up is one that a cancelled shipment left behind. */
  takes_left_item: Generated<boolean>;
  client_id: string | null;
  on_behalf_of: string | null;
  operation: string;
  request_id: string;
  key_hash: Buffer | null;
  request_hash: Buffer | null;
  instance_id: string | null;
  asked_at: Date;
  open_by: Date;
  sent_at: Date | null;
  outcome: 'Opened' | 'StayedShut' | null;
  reason: string | null;
  settled_at: Date | null;
  opened_at: Date | null;
  meaning: 'Next' | 'Stale' | 'Contradictory' | null;
}

export interface WallDoorTable {
  locker_id: number;
  door: 'open' | 'closed';
  item: 'present' | 'absent' | 'unknown';
  openings: Generated<number>;
  changed_at: Date;
}

export interface WrongCodesTable {
  pick_up_point_id: number;
  locker_id: number;
  allowed: number;
  counted_at: Date;
}

export interface OfflineEntryTable {
  entry_id: string;
  pick_up_point_id: number;
  locker_id: number;
  shipment_uid: string;
  event_type: 'ItemDroppedOff' | 'ItemPickedUp';
  listed_until: Date;
}

export interface OfflineAccessTable {
  pick_up_point_id: number;
  list_id: string;
  entry_id: string;
  opened_at: Date;
  command_id: string;
}
