-- What an operator does by a command is no API client's: such an entry has none.
ALTER TABLE audit_log ALTER COLUMN client_id DROP NOT NULL;
