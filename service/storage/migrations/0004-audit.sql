-- What was done: the audit log, and accesses of lockers.

-- Who did what with which outcome: every change with an acknowledged success, written in its transaction, and, shortly
-- after the answer, what was refused and what was read that opens a locker.
CREATE TABLE audit_log (
  -- Without a foreign key: its check would lock the tenant's row in every booking.
  tenant_id bigint NOT NULL,
  audit_id bigint GENERATED ALWAYS AS IDENTITY,
  occurred_at timestamptz NOT NULL DEFAULT now(),
  -- Null: an operator did it by a command.
  client_id text,
  -- The person for whom the API client acts, as that client says (assumptions: The wire).
  on_behalf_of text,
  operation text NOT NULL,
  uids text[] NOT NULL,
  outcome text NOT NULL,
  request_id text NOT NULL,
  -- A tenant reads its own log from the end.
  PRIMARY KEY (tenant_id, audit_id)
);
-- For forgetting what is old, and for the entries about one uid. Both cost a booking next to nothing: rows come in the
-- order of their time, and a range of rows is only told apart by what can not be in it. An entry has three uids at most
-- that are looked for.
CREATE INDEX audit_log_age ON audit_log USING brin (occurred_at);
-- One index for each place: the filters of three together do not fit into a page, and then no row can be written.
CREATE INDEX audit_log_first_uid ON audit_log USING brin ((uids[1]) text_bloom_ops);
CREATE INDEX audit_log_second_uid ON audit_log USING brin ((uids[2]) text_bloom_ops);
CREATE INDEX audit_log_third_uid ON audit_log USING brin ((uids[3]) text_bloom_ops);

-- Each time a locker was opened for a shipment, written in the transaction of the access: what operators ask for first.
CREATE TABLE locker_accesses (
  access_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  locker_id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  -- Null: it was opened without a change of the shipment.
  access_goal text CHECK (access_goal IN ('DropOff', 'PickUp')),
  -- What opened it: the operation of an API client, or the wall where a code was typed.
  operation text NOT NULL,
  client_id text,
  occurred_at timestamptz NOT NULL
);
CREATE INDEX locker_accesses_of_a_locker ON locker_accesses (locker_id, access_id);
CREATE INDEX locker_accesses_of_a_shipment ON locker_accesses (shipment_id, access_id);

-- Whether a service in production has served from this database: then none in staging does, since it would make API
-- clients with publicly known secrets.
CREATE TABLE production_use (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  since timestamptz NOT NULL DEFAULT now()
);
