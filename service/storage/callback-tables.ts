// The columns of where callbacks go, and of what is on its way there, as kysely sees them.
// The migrations are the schema; this file only says it again in types.
import type { Generated, GeneratedAlways } from 'kysely';
import type { CallbackAuthType } from '../../contract/index.ts';

export interface CallbackConfigurationTable {
  tenant_id: number;
  url: string | null;
  auth_type: Generated<CallbackAuthType>;
  extra_fields: Generated<boolean>;
  access_messages: Generated<boolean>;
}

/** Signing: makes the signatures of every callback. ApiKey: is sent as it is, with authType ApiKey. */
export type CallbackKeyPurpose = 'Signing' | 'ApiKey';

export interface CallbackKeyTable {
  callback_key_id: GeneratedAlways<number>;
  tenant_id: number;
  purpose: CallbackKeyPurpose;
  sealed_key: string;
  valid_until: Date | null;
}

export interface CallbackQueueTable {
  shipment_id: number;
  tenant_id: number;
  due_at: Date;
  lease_id: string | null;
  attempts: Generated<number>;
  parked_at: Date | null;
}

export interface CallbackOutageTable {
  tenant_id: number;
  since: Generated<Date>;
  probes: Generated<number>;
  probe_at: Date;
  first_try_at: Date;
  error: string;
}

export interface CallbackFailureTable {
  event_id: number;
  slot: number;
  attempt: number;
  failed_at: Date;
  milliseconds: number;
  answer_status: number | null;
  error: string;
}
