-- What tenants have uploaded as suggestions for account search. Only the latest upload of a tenant is active (interface:
-- UploadAccountSuggestions): the row of the tenant names it, and is the lock on which the next upload waits.

CREATE SEQUENCE account_suggestion_upload_ids AS bigint;

CREATE TABLE account_suggestion_uploads (
  tenant_id bigint PRIMARY KEY REFERENCES tenants,
  upload_id bigint NOT NULL DEFAULT nextval('account_suggestion_upload_ids'),
  reference text,
  uploaded_at timestamptz NOT NULL
);

-- Without foreign keys: 100,000 rows are written at once, and each would look up what the upload has looked up already.
CREATE TABLE account_suggestions (
  upload_id bigint NOT NULL,
  email_address text NOT NULL,
  phone_number text,
  language_code text,
  first_name text,
  last_name text,
  remarks text,
  pup_uid text
);
CREATE UNIQUE INDEX account_suggestions_email_address_key
  ON account_suggestions (upload_id, lower(email_address COLLATE "C"));
