-- What walls may open while they have no connection: the lists that the service gives them, and what came of them.

-- The salt of the codes' hashes in the lists of this wall. It changes from time to time, and with it all hashes.
ALTER TABLE walls ADD COLUMN offline_salt text;
ALTER TABLE walls ADD COLUMN offline_salt_at timestamptz;

-- The slow hash of a code under a salt: made once, for every list that has the code.
ALTER TABLE access_codes ADD COLUMN offline_salt text;
ALTER TABLE access_codes ADD COLUMN offline_hash text;

-- What a list's entry means. One access of a shipment is one entry, in however many lists.
CREATE TABLE offline_entries (
  entry_id text PRIMARY KEY,
  pick_up_point_id bigint NOT NULL,
  locker_id bigint NOT NULL,
  shipment_uid text NOT NULL,
  event_type text NOT NULL CHECK (event_type IN ('ItemDroppedOff', 'ItemPickedUp')),
  -- The expiry of the last list that has it.
  listed_until timestamptz NOT NULL,
  UNIQUE (pick_up_point_id, shipment_uid, event_type)
);
CREATE INDEX offline_entries_by_age ON offline_entries (listed_until);

-- An opening by a list that the service never gave is of no shipment.
ALTER TABLE door_commands ALTER COLUMN shipment_uid DROP NOT NULL;
CREATE INDEX doubtful_door_commands ON door_commands (tenant_id, opened_at)
  WHERE meaning IN ('Stale', 'Contradictory');
