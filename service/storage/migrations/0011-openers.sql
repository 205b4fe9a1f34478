-- Who had a locker opened for a shipment, and why, kept with the opening itself: one that its wall tells late is older than its entry
-- in the audit log.
ALTER TABLE locker_accesses ADD COLUMN on_behalf_of text;
ALTER TABLE locker_accesses ADD COLUMN why text;
