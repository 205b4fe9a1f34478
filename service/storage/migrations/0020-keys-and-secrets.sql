-- When a secret of the client was retired last. The tokens that version 0.2.0 has issued do not say from which secret they
-- came: all that are older end then. No later version needs it, once those have expired.
ALTER TABLE api_clients ADD COLUMN secret_retired_at timestamptz;

-- Version 0.2.0 wrote a fingerprint of the callback key beside a refused attempt. Whoever had a copy of the database could
-- test guesses of a weak key against it.
UPDATE callback_failures SET error = regexp_replace(error, ': refused, sent with(out a key| the key .*)$', '')
WHERE error LIKE '%: refused, sent with%';
UPDATE callback_outages SET error = regexp_replace(error, ': refused, sent with(out a key| the key .*)$', '')
WHERE error LIKE '%: refused, sent with%';
