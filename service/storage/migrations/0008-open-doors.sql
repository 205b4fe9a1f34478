-- Since when a door stands open: somebody must go and shut it. Null: it is shut, or an instance of the release before has written
-- that it is open. Of the doors that are open now nobody knows since when: they count from here on.
ALTER TABLE wall_doors ADD COLUMN opened_at timestamptz;
UPDATE wall_doors SET opened_at = now() WHERE door = 'open';
