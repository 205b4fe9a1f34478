-- Why a person had something done, as the API client says (assumptions: The wire).
ALTER TABLE audit_log ADD COLUMN why text;
ALTER TABLE door_commands ADD COLUMN why text;
