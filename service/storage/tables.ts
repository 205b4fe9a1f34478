// The types of the tables that kysely's query builder uses. The migrations are the schema; this file must match them.
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { CallbackAuthType, CallbackMessageType, ShipmentType, StateCode } from '../../contract/index.ts';
import type { Link } from '../../contract/machines/chain-shipments.ts';

type Created = ColumnType<Date, Date | undefined, never>;

/** Signing: signs every callback. ApiKey: is sent in the header of callbacks with authType ApiKey. */
export type CallbackKeyPurpose = 'Signing' | 'ApiKey';

export interface Database {
  migrations: {
    name: string;
    checksum: string;
    applied_at: GeneratedAlways<Date>;
  };
  production_use: {
    is_only: GeneratedAlways<boolean>;
    since: GeneratedAlways<Date>;
  };
  function_schemas: {
    schema_name: string;
    used_at: Generated<Date>;
  };
  tenants: {
    tenant_id: Generated<number>;
    tenant_uid: string;
    name: string;
    main_account_id: number;
    created_at: Created;
  };
  pick_up_points: {
    pick_up_point_id: Generated<number>;
    pup_uid: string;
    tenant_id: number;
    name: string;
    time_zone: string;
    city: string | null;
    country_code: string | null;
    created_at: Created;
  };
  overflow_pick_up_points: {
    tenant_id: number;
    pick_up_point_id: number;
    overflow_pick_up_point_id: number;
    position: number;
  };
  accounts: {
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
  };
  api_clients: {
    client_id: string;
    tenant_id: number;
    wall_pick_up_point_id: number | null;
    flow_scopes: string[] | null;
    created_at: Created;
    revoked_at: Date | null;
  };
  client_secrets: {
    client_id: string;
    slot: 1 | 2;
    hash: string;
    created_at: Created;
  };
  signing_keys: {
    key_id: string;
    algorithm: string;
    public_key: JSONColumnType<object>;
    sealed_key: string;
    created_at: Created;
    signs_from: Date;
    refused_from: Date | null;
  };
  locker_sizes: {
    locker_size_id: Generated<number>;
    pick_up_point_id: number;
    size: string;
    small_side: number;
    middle_side: number;
    large_side: number;
    volume: GeneratedAlways<number>;
  };
  lockers: {
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
  };
  shipments: {
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
    is_stock: boolean;
    pick_up_code: string | null;
    delivery_code: string | null;
  };
  access_codes: {
    pick_up_point_id: number;
    code: string;
    locker_id: number;
  };
  shipment_objects: {
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
  };
  callback_configurations: {
    tenant_id: number;
    url: string | null;
    auth_type: Generated<CallbackAuthType>;
    extra_fields: Generated<boolean>;
    access_messages: Generated<boolean>;
  };
  shipment_events: {
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
    message_type: Generated<CallbackMessageType>;
    access_goal: 'PickUp' | null;
    accessed_at: Date | null;
  };
  callback_keys: {
    callback_key_id: GeneratedAlways<number>;
    tenant_id: number;
    purpose: CallbackKeyPurpose;
    sealed_key: string;
    valid_until: Date | null;
  };
  callback_queue: {
    shipment_id: number;
    tenant_id: number;
    due_at: Date;
    lease_id: string | null;
    attempts: Generated<number>;
  };
  callback_outages: {
    tenant_id: number;
    since: Generated<Date>;
    probes: Generated<number>;
    probe_at: Date;
    first_try_at: Date;
    error: string;
  };
  callback_failures: {
    event_id: number;
    slot: number;
    attempt: number;
    failed_at: Date;
    milliseconds: number;
    answer_status: number | null;
    error: string;
  };
  audit_log: {
    tenant_id: number;
    audit_id: GeneratedAlways<number>;
    occurred_at: Created;
    client_id: string | null;
    on_behalf_of: string | null;
    why: string | null;
    operation: string;
    uids: string[];
    outcome: string;
    request_id: string;
    lasted_since: Date | null;
  };
  idempotency_keys: {
    tenant_id: number;
    operation: string;
    key_hash: Buffer;
    request_hash: Buffer;
    response: ColumnType<unknown, string, string>;
    created_at: Created;
  };
  sandbox_switches: {
    tenant_id: number;
    switches: ColumnType<unknown, string, string>;
  };
  walls: {
    pick_up_point_id: number;
    journal: string | null;
    taken: Generated<number>;
    session_id: string | null;
    instance_id: string | null;
    seen_at: Date | null;
  };
  account_suggestion_uploads: {
    tenant_id: number;
    upload_id: Generated<number>;
    reference: string | null;
    uploaded_at: Date;
  };
  account_suggestions: {
    upload_id: number;
    email_address: string;
    phone_number: string | null;
    language_code: string | null;
    first_name: string | null;
    last_name: string | null;
    remarks: string | null;
    pup_uid: string | null;
    search_text: GeneratedAlways<string | null>;
  };
}
