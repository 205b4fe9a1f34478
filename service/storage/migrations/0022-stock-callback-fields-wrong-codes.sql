-- Whether a shipment was booked without a receiver: as stock of any kind, or with its receiver delayed. Only such a shipment
-- can be issued from stock (assumptions: Chains). Null: booked before this was recorded.
ALTER TABLE shipments ADD COLUMN is_stock boolean;

-- The opening takes out the item that a cancelled shipment left behind; the shipment does not advance.
ALTER TABLE door_commands ADD COLUMN takes_left_item boolean NOT NULL DEFAULT false;

-- Whether callbacks have more than the fields of the published interface (assumptions: Callbacks, Fields).
ALTER TABLE callback_configurations ADD COLUMN extra_fields boolean NOT NULL DEFAULT false;

-- How many wrong codes were typed at the wall without a connection, since its journal began, as its last hello said.
ALTER TABLE walls ADD COLUMN offline_wrong_codes bigint NOT NULL DEFAULT 0;
