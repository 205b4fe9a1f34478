-- Keys that are encrypted by a key from outside the database, named by encryption_key_id. Null: stored by an earlier
-- version as it is; the service encrypts it when it starts.
ALTER TABLE signing_keys
  ADD COLUMN encryption_key_id text,
  ALTER COLUMN private_key TYPE bytea USING convert_to(private_key::text, 'UTF8');

-- The keys of a tenant's callbacks. Several Signing keys are valid at a time while a changed one is taken over.
CREATE TABLE callback_keys (
  callback_key_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES callback_configurations,
  purpose text NOT NULL CHECK (purpose IN ('Signing', 'ApiKey')),
  encryption_key_id text,
  key bytea NOT NULL,
  -- Null: the current key.
  valid_until timestamptz
);
CREATE UNIQUE INDEX one_current_callback_key ON callback_keys (tenant_id, purpose) WHERE valid_until IS NULL;
CREATE INDEX callback_keys_of_a_tenant ON callback_keys (tenant_id);

INSERT INTO callback_keys (tenant_id, purpose, key, valid_until)
SELECT tenant_id, 'Signing', convert_to(former_auth_key, 'UTF8'), former_auth_key_until
FROM callback_configurations
WHERE former_auth_key IS NOT NULL AND former_auth_key_until > now() AND auth_type <> 'ApiKey';
-- An API key was sent with every callback: it must not go on signing. The next ConfigureCallback makes a key that signs.
INSERT INTO callback_keys (tenant_id, purpose, key)
SELECT tenant_id, CASE auth_type WHEN 'ApiKey' THEN 'ApiKey' ELSE 'Signing' END, convert_to(auth_key, 'UTF8')
FROM callback_configurations
WHERE auth_key IS NOT NULL;

ALTER TABLE callback_configurations
  DROP COLUMN auth_key, DROP COLUMN former_auth_key, DROP COLUMN former_auth_key_until;
