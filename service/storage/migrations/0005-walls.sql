-- Lockers' walls: which connection a wall has, what it was asked to open, and what became of that.

CREATE TABLE walls (
  pick_up_point_id bigint PRIMARY KEY REFERENCES pick_up_points,
  -- The journal that the wall sends, and the id of the last message of it that was taken.
  journal text,
  taken bigint NOT NULL DEFAULT 0,
  -- The one connection that counts, and the instance of the service that has it. Null: none does.
  session_id uuid,
  instance_id uuid,
  -- The instance says every few seconds that it still has the connection.
  seen_at timestamptz
);

-- Each opening that a wall was asked for. A person waits for it, or a request, but no transaction does.
CREATE TABLE door_commands (
  command_id text PRIMARY KEY,
  tenant_id bigint NOT NULL,
  pick_up_point_id bigint NOT NULL,
  locker_id bigint NOT NULL,
  shipment_uid text NOT NULL,
  -- What the opening means for the shipment. Null: it does not advance.
  event_type text CHECK (event_type IN ('ItemDroppedOff', 'ItemPickedUp', 'LeftItemPickedUp')),
  -- The request that asked for it, as the audit log and the kept answer have it.
  client_id text,
  on_behalf_of text,
  operation text NOT NULL,
  request_id text NOT NULL,
  key_hash bytea,
  request_hash bytea,
  instance_id uuid,
  asked_at timestamptz NOT NULL,
  -- The door must not open after this moment.
  open_by timestamptz NOT NULL,
  -- Set before the command goes out: it goes out once at most. From then on the wall is only asked about it.
  sent_at timestamptz,
  -- Null: not known yet.
  outcome text CHECK (outcome IN ('Opened', 'StayedShut')),
  reason text,
  settled_at timestamptz,
  opened_at timestamptz,
  -- Of an opening: what the rules made of it. Stale and Contradictory ones changed nothing, and are shown to people.
  meaning text CHECK (meaning IN ('Next', 'Stale', 'Contradictory'))
);
-- One door has one command at a time: a second one would open it twice.
CREATE UNIQUE INDEX open_door_commands ON door_commands (locker_id) WHERE outcome IS NULL;
CREATE INDEX open_door_commands_of_a_wall ON door_commands (pick_up_point_id) WHERE outcome IS NULL;
CREATE INDEX door_commands_of_a_locker ON door_commands (locker_id, asked_at);
CREATE INDEX door_commands_by_age ON door_commands USING brin (asked_at);
CREATE INDEX doubtful_door_commands ON door_commands (tenant_id, opened_at) WHERE meaning IN ('Stale', 'Contradictory');

-- Each door as its wall last told.
CREATE TABLE wall_doors (
  locker_id bigint PRIMARY KEY REFERENCES lockers,
  door text NOT NULL CHECK (door IN ('open', 'closed'))
);

-- Wrong codes of a wall (locker_id 0), and of each of its doors: what is left before codes are refused unseen.
CREATE TABLE wrong_codes (
  pick_up_point_id bigint NOT NULL,
  locker_id bigint NOT NULL,
  allowed double precision NOT NULL,
  counted_at timestamptz NOT NULL,
  PRIMARY KEY (pick_up_point_id, locker_id)
);
