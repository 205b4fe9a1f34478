-- The removal of an account takes this lock exclusively; a booking for the account takes it shared. So no shipment is
-- booked for an account while it is removed. The lock is in memory: a row lock would be written to Postgres's log.
CREATE FUNCTION account_lock(p_user_uid text) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT hashtextextended(p_user_uid, 1) $$;

-- Locks these accounts until the transaction ends, in the order of their locks: two transactions never wait for each other.
CREATE FUNCTION lock_accounts(p_user_uids text[]) RETURNS void
LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock_shared(ordered.lock)
  FROM (SELECT DISTINCT account_lock(u.uid) AS lock FROM unnest(p_user_uids) AS u (uid) ORDER BY 1) AS ordered
$$;

-- Locks these accounts until the transaction ends. Gives the first uid that does not exist.
CREATE FUNCTION hold_accounts(p_user_uids text[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_missing text;
BEGIN
  PERFORM lock_accounts(p_user_uids);
  SELECT u.uid INTO v_missing FROM unnest(p_user_uids) AS u (uid)
  WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.user_uid = u.uid AND a.removed_at IS NULL)
  LIMIT 1;
  RETURN v_missing;
END $$;

-- What finds a text in search_text. One or two characters find beginnings of words, longer ones any part. Null: there is neither
-- letter nor figure to look for. No character is left that means something in LIKE.
CREATE FUNCTION search_pattern(p_search text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '%' || CASE WHEN length(text) > 3 THEN substr(text, 2) ELSE text END || '%'
  FROM account_search_text(ARRAY[p_search]) AS text
$$;

-- What the index is asked for: of a text with figures, only its longest word that has one, which few accounts have. An index
-- reads every part of "331 exam", and all accounts of a company have the second word.
CREATE FUNCTION search_key_pattern(p_search text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce((
    SELECT '%' || word || '%' FROM regexp_split_to_table(account_search_text(ARRAY[p_search]), ' ') AS word
    WHERE word ~ '[0-9]' AND length(word) >= 3
    ORDER BY length(word) DESC LIMIT 1
  ), search_pattern(p_search))
$$;
