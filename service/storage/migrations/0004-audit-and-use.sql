-- What was done, and what lockers were used for: the audit log, accesses, uses and refusals.

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
  -- How often it happened: a wall tells of all wrong codes that were typed without a connection at once.
  count integer NOT NULL DEFAULT 1,
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

-- When a locker was held, and how many bookings found none: what GetPickUpPointUse counts (assumptions: Operating).
CREATE TABLE locker_uses (
  use_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Without foreign keys: their checks would lock rows that all bookings share.
  tenant_id bigint NOT NULL,
  pick_up_point_id bigint NOT NULL,
  locker_id bigint NOT NULL,
  locker_size_id bigint NOT NULL,
  -- By the tenant's clock. Null: a chain holds the locker now.
  held_from timestamptz NOT NULL,
  held_until timestamptz
);
CREATE UNIQUE INDEX open_locker_uses ON locker_uses (locker_id) WHERE held_until IS NULL;
CREATE INDEX locker_uses_of_a_pick_up_point ON locker_uses (pick_up_point_id, held_until);

-- Counted by the hour (UTC, by the tenant's clock): a process that waits for a locker asks every few seconds.
CREATE TABLE locker_refusals (
  tenant_id bigint NOT NULL,
  pick_up_point_id bigint NOT NULL,
  hour timestamptz NOT NULL,
  -- The smallest size there that fits the item; empty where only an overflow pick up point has one.
  size text NOT NULL,
  refused integer NOT NULL,
  PRIMARY KEY (pick_up_point_id, hour, size)
);

-- A trigger, so that every change of a locker's holder is in the record, and no statement of a booking is longer for it.
CREATE FUNCTION record_locker_use() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp()) + coalesce(
    (SELECT c.ahead_ms * interval '1 millisecond' FROM sandbox_clocks c WHERE c.tenant_id = NEW.tenant_id), interval '0');
BEGIN
  IF OLD.chain_id IS NOT NULL THEN
    -- A clock that was put back: nothing ends before it begins.
    UPDATE locker_uses SET held_until = greatest(v_now, held_from)
    WHERE locker_id = NEW.locker_id AND held_until IS NULL;
  END IF;
  IF NEW.chain_id IS NOT NULL THEN
    INSERT INTO locker_uses (tenant_id, pick_up_point_id, locker_id, locker_size_id, held_from)
    VALUES (NEW.tenant_id, NEW.pick_up_point_id, NEW.locker_id, NEW.locker_size_id, v_now);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER locker_use AFTER UPDATE OF chain_id ON lockers
FOR EACH ROW WHEN (OLD.chain_id IS DISTINCT FROM NEW.chain_id) EXECUTE FUNCTION record_locker_use();

-- Whether a service in production has served from this database: then none in staging does, since it would make API
-- clients with publicly known secrets.
CREATE TABLE production_use (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  since timestamptz NOT NULL DEFAULT now()
);
