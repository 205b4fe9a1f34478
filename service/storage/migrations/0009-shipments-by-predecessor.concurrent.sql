-- Deleting a shipment looks for its successors, which refer to it.
CREATE INDEX CONCURRENTLY shipments_by_predecessor ON shipments (predecessor_id) WHERE predecessor_id IS NOT NULL;
