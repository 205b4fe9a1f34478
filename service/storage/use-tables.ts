// The columns of the tables of what pick up points are used for, as kysely sees them. The migrations are the schema.
import type { Generated } from 'kysely';

export interface LockerUseTable {
  use_id: Generated<number>;
  tenant_id: number;
  pick_up_point_id: number;
  locker_id: number;
  locker_size_id: number;
  held_from: Date;
  held_until: Date | null;
}

export interface LockerRefusalTable {
  tenant_id: number;
  pick_up_point_id: number;
  hour: Date;
  size: string;
  refused: number;
}
