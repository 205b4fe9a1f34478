-- The person for whom an API client acts, as that client says (assumptions: The wire).
ALTER TABLE audit_log ADD COLUMN on_behalf_of text;
ALTER TABLE door_commands ADD COLUMN on_behalf_of text;
