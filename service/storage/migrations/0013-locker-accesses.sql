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

-- The cancelled shipment whose item is in a locker that is to be emptied. Means nothing while it is not.
ALTER TABLE lockers ADD COLUMN left_shipment_id bigint;
