-- assumptions: The wire: the first success of a request is given again. The row is also the lock on which a concurrent second
-- waits; a refusal has to take it away again, by rolling back or by deleting it.
CREATE FUNCTION claim_idempotency_key(
  p_tenant_id bigint, p_operation text, p_key text, p_request_hash bytea,
  OUT outcome text, OUT response jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  v_former idempotency_keys;
BEGIN
  LOOP
    INSERT INTO idempotency_keys (tenant_id, operation, key, request_hash)
    VALUES (p_tenant_id, p_operation, p_key, p_request_hash) ON CONFLICT DO NOTHING;
    IF FOUND THEN outcome := 'claimed'; RETURN; END IF;
    SELECT * INTO v_former FROM idempotency_keys k
    WHERE k.tenant_id = p_tenant_id AND k.operation = p_operation AND k.key = p_key FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
    IF v_former.created_at < now() - interval '24 hours' THEN
      UPDATE idempotency_keys k SET request_hash = p_request_hash, response = NULL, created_at = now()
      WHERE k.tenant_id = p_tenant_id AND k.operation = p_operation AND k.key = p_key;
      outcome := 'claimed';
    ELSIF v_former.request_hash <> p_request_hash THEN
      outcome := 'otherRequest';
    ELSE
      outcome := 'answered';
      response := v_former.response;
    END IF;
    RETURN;
  END LOOP;
END $$;
