-- Openings for somebody of the operator to look into a locker (OpenLocker): for a reason, and for no shipment. Kept apart from
-- locker_accesses, which say what became of shipments: a look says nothing of that.
CREATE TABLE locker_looks (
  look_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  locker_id bigint NOT NULL,
  -- Whose item was inside, or was to come; without a foreign key, for it may be deleted before. Null: nobody's.
  shipment_id bigint,
  why text NOT NULL,
  operation text NOT NULL,
  client_id text,
  on_behalf_of text,
  occurred_at timestamptz NOT NULL
);
CREATE INDEX locker_looks_of_a_locker ON locker_looks (locker_id, look_id);
CREATE INDEX locker_looks_of_a_shipment ON locker_looks (shipment_id) WHERE shipment_id IS NOT NULL;
CREATE INDEX locker_looks_by_age ON locker_looks USING brin (occurred_at);

-- A wall is asked to open a door for a look, too: then the command names no shipment.
ALTER TABLE door_commands ALTER COLUMN shipment_uid DROP NOT NULL;
