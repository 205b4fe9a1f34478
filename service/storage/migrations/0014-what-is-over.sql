-- Since when what an entry says is over had lasted: a wall was offline, a door stood open. Null for all else.
ALTER TABLE audit_log ADD COLUMN lasted_since timestamptz;
