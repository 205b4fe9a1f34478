// The columns of tenants, API clients, pick up points and accounts, as kysely sees them.
// The migrations are the schema; this file only says it again in types.
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';

export type Created = ColumnType<Date, Date | undefined, never>;

export interface TenantTable {
  tenant_id: Generated<number>;
  tenant_uid: string;
  name: string;
  main_account_id: number;
  created_at: Created;
  answers_on_200: Generated<boolean>;
}

export interface PickUpPointTable {
  pick_up_point_id: Generated<number>;
  pup_uid: string;
  tenant_id: number;
  name: string;
  time_zone: string;
  city: string | null;
  country_code: string | null;
  created_at: Created;
}

export interface OverflowPickUpPointTable {
  tenant_id: number;
  pick_up_point_id: number;
  overflow_pick_up_point_id: number;
  position: number;
}

export interface AccountTable {
  account_id: Generated<number>;
  user_uid: string;
  user_name: string | null;
  first_name: string | null;
  last_name: string | null;
  email_address: string | null;
  phone_number: string | null;
  language_code: string | null;
  street_name: string | null;
  street_no: string | null;
  mailbox: string | null;
  city: string | null;
  country_code: string | null;
  main_pick_up_point_id: number | null;
  mail_code: string | null;
  can_change_first_name: boolean | null;
  can_change_last_name: boolean | null;
  can_change_email_address: boolean | null;
  can_change_phone_number: boolean | null;
  can_change_language_code: boolean | null;
  can_change_main_pick_up_point: boolean | null;
  can_change_address: boolean | null;
  can_remove_automatically: boolean | null;
  can_remove_manually: boolean | null;
  created_at: Created;
  removed_at: Date | null;
}

export interface ApiClientTable {
  client_id: string;
  tenant_id: number;
  wall_pick_up_point_id: number | null;
  flow_scopes: string[] | null;
  created_at: Created;
  revoked_at: Date | null;
}

export interface ClientSecretTable {
  client_id: string;
  slot: 1 | 2;
  hash: string;
  created_at: Created;
}

export interface SigningKeyTable {
  key_id: string;
  algorithm: string;
  public_key: JSONColumnType<object>;
  sealed_key: string;
  created_at: Created;
  signs_from: Date;
  refused_from: Date | null;
}

export interface AuditLogTable {
  tenant_id: number;
  audit_id: GeneratedAlways<number>;
  occurred_at: Created;
  client_id: string | null;
  on_behalf_of: string | null;
  operation: string;
  uids: string[];
  outcome: string;
  count: Generated<number>;
  request_id: string;
}

export interface ProductionUseTable {
  is_only: GeneratedAlways<boolean>;
  since: GeneratedAlways<Date>;
}

export interface MigrationTable {
  name: string;
  checksum: string;
  applied_at: GeneratedAlways<Date>;
}

export interface FunctionSchemaTable {
  schema_name: string;
  used_at: Generated<Date>;
}
