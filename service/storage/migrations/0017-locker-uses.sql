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

-- A trigger, so that every change of a locker's holder is in the record, also one that an instance of the release before
-- makes, and no statement of a booking is longer for it.
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

-- Those that are held already: since when, the state of their oldest active shipment says, as well as it can be known.
INSERT INTO locker_uses (tenant_id, pick_up_point_id, locker_id, locker_size_id, held_from)
SELECT l.tenant_id, l.pick_up_point_id, l.locker_id, l.locker_size_id,
  coalesce((SELECT min(s.state_start) FROM shipments s WHERE s.locker_id = l.locker_id AND s.chain_id = l.chain_id
    AND s.state_code IN ('Registered', 'ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup')), now())
FROM lockers l WHERE l.chain_id IS NOT NULL;
