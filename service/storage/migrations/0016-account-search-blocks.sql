-- The account search, simpler and faster: what it looks through lies packed in blocks, some 20 entries in one row. It reads
-- all blocks of a tenant; that takes a tenth of the time that as many rows take, and no index slows writers. No release
-- has had the former tables.

DROP TRIGGER account_search_added ON account_suggestions;
DROP TRIGGER account_search_removed ON account_suggestions;
DROP FUNCTION account_search_of_suggestions;
DROP FUNCTION IF EXISTS account_search_candidates;
DROP FUNCTION build_account_search;
DROP TABLE account_search;
DROP FUNCTION account_search_grams;

-- A row for each account of the tenant that manages it. Triggers keep it, so that every writer does, also an instance of a
-- former version. A changed account has a new row.
CREATE TABLE account_search (
  entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  account_id bigint NOT NULL,
  -- The block that has it. Null: none yet, the search reads the row itself.
  block_id bigint,
  -- As account_search_text gives it.
  text text COLLATE "C" NOT NULL
);
CREATE INDEX account_search_of_an_account ON account_search (account_id);
CREATE INDEX account_search_to_be_packed ON account_search (tenant_id) WHERE block_id IS NULL;

-- Some 20 entries: either accounts (entry_ids), or suggestions of an upload (email_addresses), a line of the text each, in
-- that order. The service writes them (service/accounts/search-blocks.ts).
CREATE TABLE account_search_blocks (
  block_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  upload_id bigint,
  -- Which parts of three characters occur in the text: most blocks are passed over without reading their text.
  signature bit(2048) NOT NULL,
  entry_ids bigint[],
  email_addresses text[],
  text text COLLATE "C" NOT NULL
-- Within the row, not compressed: the search reads them all.
) WITH (toast_tuple_target = 8160);
CREATE INDEX account_search_blocks_of_a_tenant ON account_search_blocks (tenant_id, upload_id);

-- In small letters without accents, one blank for whatever is neither letter nor figure, and a blank before the first word.
CREATE OR REPLACE FUNCTION account_search_text(p_texts text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ' ' || btrim(regexp_replace(
    lower(regexp_replace(normalize(array_to_string(p_texts, ' '), NFKD), '[\u0300-\u036f]', '', 'g')),
    '[\u0001-\u002f\u003a-\u0060\u007b-\u007f]+', ' ', 'g'))
$$;
DROP FUNCTION account_search_ascii;

CREATE OR REPLACE FUNCTION account_search_of_account() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_gone record;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    FOR v_gone IN DELETE FROM account_search WHERE account_id = OLD.account_id RETURNING entry_id, block_id LOOP
      -- Its line goes, the signature stays: it has more parts than needed. Nothing else in the block is locked or changed,
      -- so two accounts of one block that change at once do not wait for each other in a circle.
      UPDATE account_search_blocks AS block SET (entry_ids, text) = (
        SELECT array_agg(line.entry_id ORDER BY line.number), coalesce(string_agg(line.text, E'\n' ORDER BY line.number), '')
        FROM unnest(block.entry_ids, string_to_array(block.text, E'\n')) WITH ORDINALITY AS line (entry_id, text, number)
        WHERE line.entry_id <> v_gone.entry_id
      ) WHERE block_id = v_gone.block_id;
      DELETE FROM account_search_blocks
      WHERE block_id = v_gone.block_id AND upload_id IS NULL AND entry_ids IS NULL;
    END LOOP;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.removed_at IS NULL THEN
    INSERT INTO account_search (tenant_id, account_id, text)
    SELECT managing.tenant_id, NEW.account_id,
      account_search_text(ARRAY[NEW.first_name, NEW.last_name, NEW.email_address])
    FROM (
      SELECT tenant_id FROM pick_up_points WHERE pick_up_point_id = NEW.main_pick_up_point_id
      UNION SELECT tenant_id FROM tenants WHERE main_account_id = NEW.account_id
    ) AS managing;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION account_search_of_upload() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM account_search_blocks WHERE tenant_id = OLD.tenant_id AND upload_id = OLD.upload_id;
  RETURN NULL;
END $$;

CREATE TRIGGER account_search AFTER DELETE OR UPDATE OF upload_id ON account_suggestion_uploads
FOR EACH ROW EXECUTE FUNCTION account_search_of_upload();

INSERT INTO account_search (tenant_id, account_id, text)
SELECT managing.tenant_id, account.account_id,
  account_search_text(ARRAY[account.first_name, account.last_name, account.email_address])
FROM accounts AS account
JOIN LATERAL (
  SELECT tenant_id FROM pick_up_points WHERE pick_up_point_id = account.main_pick_up_point_id
  UNION SELECT tenant_id FROM tenants WHERE main_account_id = account.account_id
) AS managing ON true
WHERE account.removed_at IS NULL;

-- Uploads of former versions have one block for each 20 rows too, whose signature passes nothing over: it is all ones.
INSERT INTO account_search_blocks (tenant_id, upload_id, signature, email_addresses, text)
SELECT tenant_id, upload_id, ~ B'0'::bit(2048), array_agg(email_address ORDER BY number),
  string_agg(text, E'\n' ORDER BY number)
FROM (
  SELECT upload.tenant_id, upload_id, suggestion.email_address,
    row_number() OVER (PARTITION BY upload_id ORDER BY suggestion.email_address) AS number,
    account_search_text(
      ARRAY[suggestion.first_name, suggestion.last_name, suggestion.email_address, suggestion.remarks]) AS text
  FROM account_suggestions AS suggestion JOIN account_suggestion_uploads AS upload USING (upload_id)
) AS numbered
GROUP BY tenant_id, upload_id, number / 20;
