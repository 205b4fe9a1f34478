-- What each event is as a callback: stored with the event, so that nobody works it out of other columns. The default is for an
-- instance of the release before, which writes no type: while an update is under way, an access that such an instance records
-- is sent as the state of its shipment.
ALTER TABLE shipment_events ADD COLUMN message_type text NOT NULL DEFAULT 'ShipmentStatusUpdate';
UPDATE shipment_events SET message_type = 'ShipmentAccess' WHERE access_goal IS NOT NULL;
