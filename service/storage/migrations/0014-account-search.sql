-- What SearchAccounts looks through: a row for each account of the tenant that manages it, and for each active suggestion.
-- Triggers keep it, so that every writer does, also an instance of the former version.

CREATE TABLE account_search (
  entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  -- Either the account, or the upload and the e-mail address of the suggestion.
  account_id bigint,
  upload_id bigint,
  email_address text NOT NULL,
  -- As account_search_text gives it.
  text text COLLATE "C" NOT NULL
);
CREATE INDEX account_search_of_a_tenant ON account_search (tenant_id, entry_id);
CREATE INDEX account_search_of_an_account ON account_search (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX account_search_of_an_upload ON account_search (upload_id) WHERE upload_id IS NOT NULL;

-- Any character that is not ASCII as six capital letters, the first one of A to M, the others of N to Z: so a text has only
-- small letters, figures, blanks and these, which every locale takes for letters, and no other text has a part of them.
CREATE FUNCTION account_search_ascii(p_text text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(CASE WHEN code < 128 THEN character ELSE
    chr(65 + code / 371293) || chr(78 + code / 28561 % 13) || chr(78 + code / 2197 % 13)
    || chr(78 + code / 169 % 13) || chr(78 + code / 13 % 13) || chr(78 + code % 13) END, '' ORDER BY at)
  FROM unnest(string_to_array(p_text, NULL)) WITH ORDINALITY AS letter (character, at)
  CROSS JOIN LATERAL ascii(character) AS code
$$;

-- In small letters without accents, one blank for whatever is neither letter nor figure, and a blank before the first word.
CREATE FUNCTION account_search_text(p_texts text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ' ' || CASE WHEN words ~ '[^\u0001-\u007f]' THEN account_search_ascii(words) ELSE words END
  FROM (
    SELECT btrim(regexp_replace(
      lower(regexp_replace(normalize(array_to_string(p_texts, ' '), NFKD), '[\u0300-\u036f]', '', 'g')),
      '[\u0001-\u002f\u003a-\u0060\u007b-\u007f]+', ' ', 'g')) AS words
  ) AS plain
$$;

CREATE FUNCTION account_search_of_account() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM account_search WHERE account_id = OLD.account_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.removed_at IS NULL THEN
    INSERT INTO account_search (tenant_id, account_id, email_address, text)
    SELECT managing.tenant_id, NEW.account_id, NEW.email_address,
      account_search_text(ARRAY[NEW.first_name, NEW.last_name, NEW.email_address])
    FROM (
      SELECT tenant_id FROM pick_up_points WHERE pick_up_point_id = NEW.main_pick_up_point_id
      UNION SELECT tenant_id FROM tenants WHERE main_account_id = NEW.account_id
    ) AS managing;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER account_search
AFTER INSERT OR DELETE OR UPDATE OF first_name, last_name, email_address, main_pick_up_point_id, removed_at ON accounts
FOR EACH ROW EXECUTE FUNCTION account_search_of_account();

CREATE FUNCTION account_search_of_suggestions() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO account_search (tenant_id, upload_id, email_address, text)
    SELECT upload.tenant_id, changed.upload_id, changed.email_address,
      account_search_text(ARRAY[changed.first_name, changed.last_name, changed.email_address, changed.remarks])
    FROM changed JOIN account_suggestion_uploads AS upload USING (upload_id);
  ELSE
    DELETE FROM account_search AS entry USING changed
    WHERE entry.upload_id = changed.upload_id AND entry.email_address = changed.email_address;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER account_search_added AFTER INSERT ON account_suggestions
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION account_search_of_suggestions();
CREATE TRIGGER account_search_removed AFTER DELETE ON account_suggestions
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION account_search_of_suggestions();

INSERT INTO account_search (tenant_id, account_id, email_address, text)
SELECT managing.tenant_id, account.account_id, account.email_address,
  account_search_text(ARRAY[account.first_name, account.last_name, account.email_address])
FROM accounts AS account
JOIN LATERAL (
  SELECT tenant_id FROM pick_up_points WHERE pick_up_point_id = account.main_pick_up_point_id
  UNION SELECT tenant_id FROM tenants WHERE main_account_id = account.account_id
) AS managing ON true
WHERE account.removed_at IS NULL;

INSERT INTO account_search (tenant_id, upload_id, email_address, text)
SELECT upload.tenant_id, upload_id, suggestion.email_address,
  account_search_text(ARRAY[suggestion.first_name, suggestion.last_name, suggestion.email_address, suggestion.remarks])
FROM account_suggestions AS suggestion JOIN account_suggestion_uploads AS upload USING (upload_id);

-- For a Postgres without pg_trgm: every three characters of a text, as hashes that only this tenant's entries have.
CREATE FUNCTION account_search_grams(p_tenant_id bigint, p_text text) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
DECLARE
  v_tenant integer := hashint8(p_tenant_id);
  v_characters text[] := string_to_array(p_text, NULL);
  v_grams integer[] := '{}';
BEGIN
  FOR i IN 1 .. cardinality(v_characters) - 1 LOOP
    -- A search of one character finds beginnings of words.
    IF v_characters[i] = ' ' THEN v_grams := v_grams || (v_tenant # hashtext(' ' || v_characters[i + 1])); END IF;
    EXIT WHEN i + 2 > cardinality(v_characters);
    v_grams := v_grams || (v_tenant # hashtext(v_characters[i] || v_characters[i + 1] || v_characters[i + 2]));
  END LOOP;
  RETURN v_grams;
END $$;

-- Makes the index that serves any part of the text, and account_search_candidates, which reads it: the first entries of a
-- tenant, at most so many, whose text has all of three parts of three characters. p_with_trgm: by the extensions pg_trgm
-- and btree_gin, which write it some four times as fast; else by hashes of our own. Call it again when the extensions were
-- installed later. Off for the plan: whatever is not the index.
CREATE FUNCTION build_account_search(p_with_trgm boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  DROP INDEX IF EXISTS account_search_parts;
  DROP FUNCTION IF EXISTS account_search_candidates;
  IF p_with_trgm THEN
    CREATE INDEX account_search_parts ON account_search USING gin (tenant_id, text gin_trgm_ops)
      WITH (gin_pending_list_limit = 256);
    CREATE FUNCTION account_search_candidates(p_tenant_id bigint, p_parts text[], p_most integer)
    RETURNS TABLE (entry_id bigint, text text)
    LANGUAGE plpgsql STABLE SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $f$
    BEGIN
      -- The parts have only letters, figures and blanks: no character that means something in LIKE.
      RETURN QUERY SELECT s.entry_id, s.text::text FROM account_search s
      WHERE s.tenant_id = p_tenant_id AND s.text LIKE '%' || p_parts[1] || '%'
        AND s.text LIKE '%' || p_parts[2] || '%' AND s.text LIKE '%' || p_parts[3] || '%' LIMIT p_most;
    END $f$;
  ELSE
    CREATE INDEX account_search_parts ON account_search USING gin (account_search_grams(tenant_id, text))
      WITH (gin_pending_list_limit = 256);
    CREATE FUNCTION account_search_candidates(p_tenant_id bigint, p_parts text[], p_most integer)
    RETURNS TABLE (entry_id bigint, text text)
    LANGUAGE plpgsql STABLE SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $f$
    DECLARE
      v_grams integer[] := ARRAY(SELECT unnest(account_search_grams(p_tenant_id, part)) FROM unnest(p_parts) AS part);
    BEGIN
      RETURN QUERY SELECT s.entry_id, s.text::text FROM account_search s
      WHERE account_search_grams(s.tenant_id, s.text) @> v_grams AND s.tenant_id = p_tenant_id LIMIT p_most;
    END $f$;
  END IF;
END $$;

DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  PERFORM build_account_search(true);
-- This Postgres does not have them, or its user may not install them.
EXCEPTION WHEN undefined_file OR feature_not_supported OR insufficient_privilege OR undefined_object THEN
  PERFORM build_account_search(false);
END $$;
