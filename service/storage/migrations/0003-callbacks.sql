-- Callbacks: where they go, what is on its way, and what became of it.

-- Where and how a tenant is told of its events. No row, or no url: it is not told.
CREATE TABLE callback_configurations (
  tenant_id bigint PRIMARY KEY REFERENCES tenants,
  url text,
  auth_type text NOT NULL DEFAULT 'None' CHECK (auth_type IN ('None', 'HMAC', 'ApiKey')),
  -- Whether callbacks have more than the fields of the published interface (assumptions: Callbacks, Fields).
  extra_fields boolean NOT NULL DEFAULT false,
  -- Whether the tenant asks for ShipmentAccess messages (assumptions: Callbacks).
  access_messages boolean NOT NULL DEFAULT false
);

-- The keys of a tenant's callbacks. Several Signing keys are valid at a time while a changed one is taken over.
CREATE TABLE callback_keys (
  callback_key_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES callback_configurations,
  purpose text NOT NULL CHECK (purpose IN ('Signing', 'ApiKey')),
  -- Encrypted for this row: see service/encryption.
  sealed_key text NOT NULL,
  -- Null: the current key.
  valid_until timestamptz
);
CREATE UNIQUE INDEX one_current_callback_key ON callback_keys (tenant_id, purpose) WHERE valid_until IS NULL;
CREATE INDEX callback_keys_of_a_tenant ON callback_keys (tenant_id);

-- What happened to shipments, frozen as it was at that moment; event_id ascends in the order of each chain.
CREATE TABLE shipment_events (
  event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  shipment_uid text NOT NULL,
  state_code text NOT NULL,
  state_start timestamptz NOT NULL,
  shipment_type text NOT NULL,
  reference_no text,
  reference_case_no text,
  description text,
  pup_uid text NOT NULL,
  from_user_uid text,
  to_user_uid text,
  -- Null: the event is a change of state. Else the shipment was accessed, and its state stayed.
  access_goal text,
  accessed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- False from the beginning when there was no url to send it to: such events are never sent later.
  is_pending boolean NOT NULL,
  delivered_at timestamptz,
  -- Of the last acceptance: how many attempts it took, and the status of the answer.
  attempts integer,
  answer_status integer
);
-- The events of one shipment, delivered or not: support asks for them first, and delivery reads them next. No index has
-- is_pending, so an acceptance rewrites no index entry.
CREATE INDEX shipment_events_of_a_shipment ON shipment_events (shipment_id, event_id);
CREATE INDEX shipment_events_of_a_tenant ON shipment_events (tenant_id, event_id);
-- Finds old events that are to be deleted, however many young ones there are. Events are written in the order of time,
-- so an index of the ranges of its pages is enough, and costs a change of state next to nothing.
CREATE INDEX shipment_events_by_age ON shipment_events USING brin (created_at);

-- One row for each shipment that has pending events: the unit of delivery and of its lock. So the events of a shipment go
-- out in order, and a shipment that is stuck (due later) is not even looked at. A sender that ends a row locks it first
-- and then looks for pending events: a change of state holds the same lock while it adds one.
CREATE TABLE callback_queue (
  shipment_id bigint PRIMARY KEY,
  tenant_id bigint NOT NULL,
  -- The moment from which on a sender may take the row; while a sender has it, the end of that sender's lease. So a claim
  -- is one index lookup, however many rows are stuck, and a sender that dies gives its rows back by doing nothing.
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- The lease of the sender that has the row. What a sender reports after its lease has ended does not count.
  lease_id uuid
);
-- Two lanes: shipments that are stuck may take only a part of a receiver's parallel deliveries.
CREATE INDEX first_tries ON callback_queue (tenant_id, due_at) WHERE attempts = 0;
CREATE INDEX repeated_tries ON callback_queue (tenant_id, due_at) WHERE attempts > 0;

-- A row while a tenant's receiver is down: then one delivery at a time probes whether it is back.
CREATE TABLE callback_outages (
  tenant_id bigint PRIMARY KEY REFERENCES tenants,
  since timestamptz NOT NULL DEFAULT now(),
  probes integer NOT NULL DEFAULT 0,
  probe_at timestamptz NOT NULL,
  -- Callbacks that were never tried may probe sooner: if only some shipments are stuck, a new one must not wait for them.
  first_try_at timestamptz NOT NULL,
  error text NOT NULL
);

-- The last failed attempts of each event: a ring of ten, so that an event that is stuck for months takes no more room.
CREATE TABLE callback_failures (
  event_id bigint NOT NULL REFERENCES shipment_events ON DELETE CASCADE,
  slot smallint NOT NULL,
  attempt integer NOT NULL,
  failed_at timestamptz NOT NULL,
  milliseconds integer NOT NULL,
  answer_status integer,
  error text NOT NULL,
  PRIMARY KEY (event_id, slot)
);
CREATE INDEX ON callback_failures (failed_at);
