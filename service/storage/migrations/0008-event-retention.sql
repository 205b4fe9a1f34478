-- By it old events are found to be forgotten, however many young ones there are. Events are written in the order of time,
-- so an index of the ranges of its pages does, which costs a change of state next to nothing.
CREATE INDEX shipment_events_by_age ON shipment_events USING brin (created_at);
