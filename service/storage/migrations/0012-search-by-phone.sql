-- Whoever is called knows the number of the caller, and finds the account by it.
ALTER TABLE accounts DROP COLUMN search_text;
ALTER TABLE accounts ADD COLUMN search_text text COLLATE "C"
  GENERATED ALWAYS AS (account_search_text(ARRAY[first_name, last_name, email_address, phone_number])) STORED;
CREATE INDEX accounts_search ON accounts USING gin (managing_tenant_id, search_text gin_trgm_ops);
ALTER TABLE account_suggestions DROP COLUMN search_text;
ALTER TABLE account_suggestions ADD COLUMN search_text text COLLATE "C"
  GENERATED ALWAYS AS (account_search_text(ARRAY[first_name, last_name, email_address, remarks, phone_number])) STORED;
CREATE INDEX account_suggestions_search ON account_suggestions USING gin (upload_id, search_text gin_trgm_ops);
