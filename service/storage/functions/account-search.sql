-- The account search: which accounts and suggestions of a tenant have this text in them. It reads all that the tenant has,
-- packed in blocks, so its answer is always whole, and its cost does not depend on what is typed.

-- p_text: as the suggestions' texts are written; the accounts' are written by account_search_text, from p_search. p_parts: a
-- block whose signature lacks one of these bits does not have p_text. Gives at most p_most + 1 of accounts, and of suggestions.
CREATE FUNCTION search_accounts(p_tenant_id bigint, p_search text, p_text text, p_parts bit(2048), p_most integer)
RETURNS TABLE (account_id bigint, upload_id bigint, email_address text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  c_no_parts CONSTANT bit(2048) := B'0'::bit(2048);
  v_text text := account_search_text(ARRAY[p_search]);
  v_parts bit(2048);
BEGIN
  IF length(v_text) > 3 THEN v_text := substr(v_text, 2); END IF;
  -- They differ in few letters of few languages.
  v_parts := CASE WHEN v_text = p_text THEN p_parts ELSE c_no_parts END;

  RETURN QUERY SELECT entry.account_id, NULL::bigint, NULL::text FROM account_search AS entry
  WHERE entry.tenant_id = p_tenant_id AND entry.block_id IS NULL AND strpos(entry.text, v_text) > 0
  LIMIT p_most + 1;

  RETURN QUERY SELECT entry.account_id, NULL::bigint, NULL::text
  FROM account_search_blocks AS block
  CROSS JOIN LATERAL unnest(block.entry_ids, string_to_array(block.text, E'\n')) AS line (entry_id, text)
  JOIN account_search AS entry ON entry.entry_id = line.entry_id
  WHERE block.tenant_id = p_tenant_id AND block.upload_id IS NULL
    AND CASE WHEN block.signature & v_parts = v_parts THEN strpos(block.text, v_text) > 0 ELSE false END
    AND strpos(line.text, v_text) > 0
  LIMIT p_most + 1;

  RETURN QUERY SELECT NULL::bigint, block.upload_id, line.email_address
  FROM account_suggestion_uploads AS upload
  JOIN account_search_blocks AS block ON block.tenant_id = p_tenant_id AND block.upload_id = upload.upload_id
  CROSS JOIN LATERAL unnest(block.email_addresses, string_to_array(block.text, E'\n')) AS line (email_address, text)
  WHERE upload.tenant_id = p_tenant_id
    AND CASE WHEN block.signature & p_parts = p_parts THEN strpos(block.text, p_text) > 0 ELSE false END
    AND strpos(line.text, p_text) > 0
  LIMIT p_most + 1;
END $$;
