-- The events of one shipment, delivered or not: what a support person asks for first, and what delivery reads next. In
-- place of the index of pending ones alone: without is_pending in any index, an acceptance rewrites no index entry.
CREATE INDEX shipment_events_of_a_shipment ON shipment_events (shipment_id, event_id);
DROP INDEX pending_shipment_events;
CREATE INDEX parked_callbacks ON callback_queue (tenant_id) WHERE parked_at IS NOT NULL;
