-- The scopes of the flows' API that a client may have (assumptions: The wire). Null: the client calls operations, or is a wall.
-- The release before does not read it, and takes such a client for one that calls operations.
ALTER TABLE api_clients ADD COLUMN flow_scopes text[];
