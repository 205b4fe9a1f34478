-- When a secret of the client was retired last. The tokens that version 0.2.0 has issued do not say from which secret they
-- came: all that are older end then. No later version needs it, once those have expired.
ALTER TABLE api_clients ADD COLUMN secret_retired_at timestamptz;
