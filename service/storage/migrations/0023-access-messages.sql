-- ShipmentAccess (assumptions: Callbacks): which tenants ask for it, and the events that it is made of. An instance of the
-- release before sends such an event as a repeated ShipmentStatusUpdate, which every receiver has to expect.
ALTER TABLE callback_configurations ADD COLUMN access_messages boolean NOT NULL DEFAULT false;
-- Null: the event is a change of state. Else the shipment was accessed, and its state stayed.
ALTER TABLE shipment_events ADD COLUMN access_goal text;
ALTER TABLE shipment_events ADD COLUMN accessed_at timestamptz;
