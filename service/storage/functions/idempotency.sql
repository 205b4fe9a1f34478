-- The lock of a key, in memory.
CREATE FUNCTION key_lock(p_tenant_id bigint, p_operation text, p_key_hash bytea) RETURNS bigint
LANGUAGE sql STABLE AS $$ SELECT hashtextextended(concat_ws('/', p_tenant_id, p_operation, p_key_hash), 2) $$;

-- Locks several keys, in the order of their locks: two transactions that need the same ones never wait for each other.
CREATE FUNCTION lock_keys(p_locks bigint[]) RETURNS void
LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(ordered.lock) FROM (SELECT DISTINCT unnest(p_locks) AS lock ORDER BY 1) AS ordered
$$;

-- The answer that the same request got within the last 24 hours (assumptions: The wire, Idempotency-Key). outcome null:
-- it got none. A second request with the same key waits here until this transaction ends. Only a hash of the key is
-- stored.
CREATE FUNCTION former_answer(
  p_tenant_id bigint, p_operation text, p_key_hash bytea, p_request_hash bytea,
  OUT outcome text, OUT response jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  v_former idempotency_keys;
BEGIN
  PERFORM pg_advisory_xact_lock(key_lock(p_tenant_id, p_operation, p_key_hash));
  SELECT * INTO v_former FROM idempotency_keys k
  WHERE k.tenant_id = p_tenant_id AND k.operation = p_operation AND k.key_hash = p_key_hash
    AND k.created_at >= now() + clock_ahead(p_tenant_id) - interval '24 hours';
  IF NOT FOUND THEN RETURN; END IF;
  IF v_former.request_hash <> p_request_hash THEN
    outcome := 'otherRequest';
  ELSE
    outcome := 'answered';
    response := v_former.response;
  END IF;
END $$;

-- Runs in the transaction of the change, so that either both are stored or neither. A refusal is not stored.
CREATE FUNCTION keep_answer(
  p_tenant_id bigint, p_operation text, p_key_hash bytea, p_request_hash bytea, p_response jsonb) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO idempotency_keys AS former (tenant_id, operation, key_hash, request_hash, response, created_at)
  VALUES (p_tenant_id, p_operation, p_key_hash, p_request_hash, p_response, now() + clock_ahead(p_tenant_id))
  -- Replaces an entry that is older than 24 hours.
  ON CONFLICT (tenant_id, operation, key_hash) DO UPDATE
  SET request_hash = excluded.request_hash, response = excluded.response, created_at = excluded.created_at
$$;
