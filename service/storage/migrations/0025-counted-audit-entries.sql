-- How often it happened: a wall tells of all wrong codes that were typed without a connection at once.
ALTER TABLE audit_log ADD COLUMN count integer NOT NULL DEFAULT 1;
