-- Booking as one call, so that a booking is one round trip and holds its locks no longer than Postgres itself needs.
-- No rule of a shipment's life is here: states, codes and links come in from the service, which has them from machines/.

-- 48 bits from the cryptographic generator behind gen_random_uuid.
CREATE FUNCTION random_bits() RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  SELECT ('x' || translate(left(gen_random_uuid()::text, 13), '-', ''))::bit(48)::bigint
$$;

-- A code that nobody has at this pick up point.
CREATE FUNCTION new_access_code(p_pick_up_point_id bigint, p_locker_id bigint) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_code text;
  v_free bigint;
BEGIN
  -- Drawn blindly: with 2,000 codes in use the second draw is needed once in 500 times, the eleventh never.
  FOR attempt IN 1..10 LOOP
    v_code := lpad((random_bits() % 1000000)::text, 6, '0');
    INSERT INTO access_codes VALUES (p_pick_up_point_id, v_code, p_locker_id) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN v_code; END IF;
  END LOOP;
  -- So crowded that blind draws may go on for ever: draw among those that are left.
  LOOP
    SELECT 1000000 - count(*) INTO v_free FROM access_codes WHERE pick_up_point_id = p_pick_up_point_id;
    IF v_free <= 0 THEN
      RAISE EXCEPTION 'every access code of the pick up point is in use' USING ERRCODE = 'LF001';
    END IF;
    SELECT free.code INTO v_code
    FROM (SELECT lpad(n::text, 6, '0') AS code FROM generate_series(0, 999999) AS n) AS free
    LEFT JOIN access_codes used ON used.pick_up_point_id = p_pick_up_point_id AND used.code = free.code
    WHERE used.code IS NULL
    OFFSET random_bits() % v_free LIMIT 1;
    CONTINUE WHEN v_code IS NULL;
    INSERT INTO access_codes VALUES (p_pick_up_point_id, v_code, p_locker_id) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN v_code; END IF;
  END LOOP;
END $$;

-- What happened to these shipments, in this order, as events; and each that is to be told of into the queue.
CREATE FUNCTION record_events(p_shipment_ids bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shipment_events (tenant_id, shipment_id, shipment_uid, state_code, state_start, shipment_type,
    reference_no, reference_case_no, description, pup_uid, from_user_uid, to_user_uid, is_pending)
  SELECT s.tenant_id, s.shipment_id, s.shipment_uid, s.state_code, s.state_start, s.shipment_type,
    s.reference_no, s.reference_case_no, s.description, p.pup_uid, f.user_uid, t.user_uid, c.url IS NOT NULL
  FROM unnest(p_shipment_ids) WITH ORDINALITY AS changed (shipment_id, position)
  JOIN shipments s USING (shipment_id)
  JOIN pick_up_points p ON p.pick_up_point_id = s.pick_up_point_id
  LEFT JOIN accounts f ON f.account_id = s.from_account_id
  LEFT JOIN accounts t ON t.account_id = s.to_account_id
  LEFT JOIN callback_configurations c ON c.tenant_id = s.tenant_id
  ORDER BY changed.position;

  -- The no-op update locks the row (see callback_queue). A stuck shipment keeps the time at which it is due.
  INSERT INTO callback_queue AS queue (shipment_id, tenant_id, due_at)
  SELECT s.shipment_id, s.tenant_id, now()
  FROM shipments s JOIN callback_configurations c ON c.tenant_id = s.tenant_id AND c.url IS NOT NULL
  WHERE s.shipment_id = ANY (p_shipment_ids)
  ORDER BY s.shipment_id
  ON CONFLICT (shipment_id) DO UPDATE SET tenant_id = queue.tenant_id;
END $$;

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

-- Whoever removes an account takes this lock exclusively, whoever makes a shipment for it takes it shared, so that no
-- shipment comes to be for an account that is being removed. In memory: a row lock would be written to the log.
CREATE FUNCTION account_lock(p_user_uid text) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT hashtextextended(p_user_uid, 1) $$;

-- Holds these accounts until the end of the transaction; gives the first of them that does not exist.
CREATE FUNCTION hold_accounts(p_user_uids text[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_missing text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(account_lock(u.uid)) FROM unnest(p_user_uids) AS u (uid);
  SELECT u.uid INTO v_missing FROM unnest(p_user_uids) AS u (uid)
  WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.user_uid = u.uid AND a.removed_at IS NULL)
  LIMIT 1;
  RETURN v_missing;
END $$;

-- The sizes that this booking permits, in the order in which they are to be tried: the pick up point's own, smallest
-- volume first, then those of its overflow pick up points in their order (assumptions: Lockers and codes).
CREATE FUNCTION permitted_locker_sizes(
  p_pick_up_point_id bigint, p_small_side double precision, p_middle_side double precision,
  p_large_side double precision, p_allow_larger boolean, p_allow_overflow boolean) RETURNS bigint[]
LANGUAGE sql STABLE AS $$
  SELECT array_agg(fitting.locker_size_id ORDER BY fitting.position, fitting.rank)
  FROM (
    SELECT s.locker_size_id, p.position,
      row_number() OVER (PARTITION BY p.position ORDER BY s.volume, s.locker_size_id) AS rank
    FROM (
      SELECT p_pick_up_point_id AS pick_up_point_id, 0 AS position
      UNION ALL
      SELECT o.overflow_pick_up_point_id, o.position FROM overflow_pick_up_points o
      WHERE p_allow_overflow AND o.pick_up_point_id = p_pick_up_point_id
    ) AS p
    JOIN locker_sizes s USING (pick_up_point_id)
    WHERE s.small_side >= p_small_side AND s.middle_side >= p_middle_side AND s.large_side >= p_large_side
  ) AS fitting
  WHERE p_allow_larger OR fitting.rank = 1
$$;

-- A free locker of the first of these sizes that has one, locked; null when none has.
CREATE FUNCTION lock_free_locker(p_locker_size_ids bigint[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_locker_size_id bigint;
  v_locker_id bigint;
BEGIN
  LOOP
    -- Those that another booking has its hand on are passed over.
    FOREACH v_locker_size_id IN ARRAY p_locker_size_ids LOOP
      SELECT locker_id INTO v_locker_id FROM lockers
      WHERE locker_size_id = v_locker_size_id AND chain_id IS NULL AND NOT out_of_order AND NOT to_be_emptied
      ORDER BY locker_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF FOUND THEN RETURN v_locker_id; END IF;
    END LOOP;
    -- None is free but, perhaps, those. Only when there are none of them either is nothing free.
    PERFORM FROM lockers
    WHERE locker_size_id = ANY (p_locker_size_ids)
      AND chain_id IS NULL AND NOT out_of_order AND NOT to_be_emptied LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
    -- They are waited for: their bookings may yet fail and leave them free.
    FOREACH v_locker_size_id IN ARRAY p_locker_size_ids LOOP
      SELECT locker_id INTO v_locker_id FROM lockers
      WHERE locker_size_id = v_locker_size_id AND chain_id IS NULL AND NOT out_of_order AND NOT to_be_emptied
      ORDER BY locker_id LIMIT 1 FOR UPDATE;
      IF FOUND THEN RETURN v_locker_id; END IF;
    END LOOP;
    -- All of them were booked meanwhile; but while this waited others may have come free. Once more.
  END LOOP;
END $$;

-- What the wire can tell apart: state_start and updated_at go out in milliseconds.
CREATE FUNCTION moment() RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) $$;

-- Shipments as the service planned them, in chain order, into a locker that the caller has locked; a locker that is
-- held by no chain is held by the first of them from now on. Codes are 'new', 'shared' (the predecessor's PickUpCode)
-- or null. With events, each one's first state is told as if it were a change.
CREATE FUNCTION insert_shipments(
  p_locker_id bigint, p_requested_pick_up_point_id bigint, p_now timestamptz, p_shipments jsonb,
  p_with_events boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_locker lockers;
  v_new record;
  v_predecessor shipments;
  v_shipment_id bigint;
  v_shipment_ids bigint[] := '{}';
  v_pick_up_code text;
  v_delivery_code text;
BEGIN
  SELECT * INTO STRICT v_locker FROM lockers WHERE locker_id = p_locker_id;
  FOR v_new IN
    SELECT * FROM jsonb_to_recordset(p_shipments) AS new (
      shipment_uid text, shipment_type text, state_code text,
      reference_no text, reference_case_no text, description text, from_user_uid text, to_user_uid text,
      small_side double precision, middle_side double precision, large_side double precision,
      allow_larger_lockers boolean, allow_overflow_lockers boolean, keep_booked_after_pick_up boolean,
      predecessor_uid text, link text, from_follows_predecessor_receiver boolean,
      pick_up_code text, delivery_code text)
  LOOP
    v_shipment_id := nextval('shipment_ids');
    IF v_locker.chain_id IS NULL THEN
      UPDATE lockers SET chain_id = v_shipment_id WHERE locker_id = p_locker_id;
      v_locker.chain_id := v_shipment_id;
    END IF;
    v_predecessor := NULL;
    IF v_new.predecessor_uid IS NOT NULL THEN
      SELECT * INTO STRICT v_predecessor FROM shipments WHERE shipment_uid = v_new.predecessor_uid;
    END IF;
    v_pick_up_code := CASE v_new.pick_up_code
      WHEN 'new' THEN new_access_code(v_locker.pick_up_point_id, p_locker_id) END;
    v_delivery_code := CASE v_new.delivery_code
      WHEN 'new' THEN new_access_code(v_locker.pick_up_point_id, p_locker_id)
      WHEN 'shared' THEN v_predecessor.pick_up_code END;
    INSERT INTO shipments (shipment_id, shipment_uid, tenant_id, chain_id, shipment_type, state_code, state_start,
      updated_at, reference_no, reference_case_no, description, from_account_id, to_account_id,
      requested_pick_up_point_id, pick_up_point_id, locker_id, small_side, middle_side, large_side,
      allow_larger_lockers, allow_overflow_lockers, keep_booked_after_pick_up, predecessor_id, link,
      from_follows_predecessor_receiver, pick_up_code, delivery_code)
    VALUES (v_shipment_id, v_new.shipment_uid, v_locker.tenant_id, v_locker.chain_id, v_new.shipment_type,
      v_new.state_code, p_now, p_now, v_new.reference_no, v_new.reference_case_no, v_new.description,
      (SELECT account_id FROM accounts WHERE user_uid = v_new.from_user_uid),
      (SELECT account_id FROM accounts WHERE user_uid = v_new.to_user_uid),
      p_requested_pick_up_point_id, v_locker.pick_up_point_id, p_locker_id,
      v_new.small_side, v_new.middle_side, v_new.large_side,
      v_new.allow_larger_lockers, v_new.allow_overflow_lockers, v_new.keep_booked_after_pick_up,
      v_predecessor.shipment_id, v_new.link, v_new.from_follows_predecessor_receiver,
      v_pick_up_code, v_delivery_code);
    v_shipment_ids := v_shipment_ids || v_shipment_id;
  END LOOP;
  IF p_with_events THEN PERFORM record_events(v_shipment_ids); END IF;
END $$;

-- A new chain into a free locker. outcome: 'booked' (or 'answered', by an earlier call with the same key), with the
-- response; else why not: 'otherRequest', an error code, or 'NotPermitted' and 'NotFree' for a locker asked for by name.
CREATE FUNCTION book_chain(
  p_tenant_id bigint, p_pup_uid text, p_locker_uid text,
  p_small_side double precision, p_middle_side double precision, p_large_side double precision,
  p_allow_larger boolean, p_allow_overflow boolean, p_may_empty boolean,
  p_named_user_uids text[], p_shipments jsonb, p_response jsonb, p_with_events boolean,
  p_operation text, p_key text, p_request_hash bytea,
  OUT outcome text, OUT response jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  v_pick_up_point_id bigint;
  v_locker_size_ids bigint[];
  v_locker_id bigint;
  v_locker lockers;
  v_missing_user_uid text;
BEGIN
  IF p_key IS NOT NULL THEN
    SELECT * INTO outcome, response FROM claim_idempotency_key(p_tenant_id, p_operation, p_key, p_request_hash);
    IF outcome <> 'claimed' THEN RETURN; END IF;
  END IF;

  SELECT pick_up_point_id INTO v_pick_up_point_id FROM pick_up_points
  WHERE pup_uid = p_pup_uid AND tenant_id = p_tenant_id;
  v_locker_size_ids := permitted_locker_sizes(
    v_pick_up_point_id, p_small_side, p_middle_side, p_large_side, p_allow_larger, p_allow_overflow);
  v_missing_user_uid := hold_accounts(p_named_user_uids);

  IF v_pick_up_point_id IS NULL THEN
    outcome := 'InvalidPupUid';
  ELSIF v_missing_user_uid IS NOT NULL THEN
    outcome := 'InvalidUserUid';
    response := to_jsonb(v_missing_user_uid);
  ELSIF p_locker_uid IS NOT NULL THEN
    SELECT * INTO v_locker FROM lockers
    WHERE locker_uid = p_locker_uid AND pick_up_point_id = v_pick_up_point_id FOR UPDATE;
    IF NOT FOUND THEN
      outcome := 'InvalidLockerUid';
    ELSIF NOT EXISTS (SELECT FROM locker_sizes s WHERE s.locker_size_id = v_locker.locker_size_id
      AND s.small_side >= p_small_side AND s.middle_side >= p_middle_side AND s.large_side >= p_large_side) THEN
      outcome := 'NoFittingLocker';
    ELSIF NOT v_locker.locker_size_id = ANY (v_locker_size_ids) THEN
      outcome := 'NotPermitted';
    ELSIF v_locker.chain_id IS NOT NULL OR v_locker.out_of_order
      OR (v_locker.to_be_emptied AND NOT p_may_empty) THEN
      outcome := 'NotFree';
    ELSE
      outcome := 'booked';
    END IF;
  ELSIF v_locker_size_ids IS NULL THEN
    outcome := 'NoFittingLocker';
  ELSE
    v_locker_id := lock_free_locker(v_locker_size_ids);
    SELECT * INTO v_locker FROM lockers WHERE locker_id = v_locker_id;
    outcome := CASE WHEN FOUND THEN 'booked' ELSE 'NoLockerAvailable' END;
  END IF;

  IF outcome <> 'booked' THEN
    DELETE FROM idempotency_keys k
    WHERE k.tenant_id = p_tenant_id AND k.operation = p_operation AND k.key = p_key;
    RETURN;
  END IF;

  PERFORM insert_shipments(v_locker.locker_id, v_pick_up_point_id, moment(), p_shipments, p_with_events);
  SELECT p_response || jsonb_build_object('pupUid', p.pup_uid, 'lockerName', v_locker.locker_name) INTO response
  FROM pick_up_points p WHERE p.pick_up_point_id = v_locker.pick_up_point_id;
  IF p_key IS NOT NULL THEN
    UPDATE idempotency_keys k SET response = book_chain.response
    WHERE k.tenant_id = p_tenant_id AND k.operation = p_operation AND k.key = p_key;
  END IF;
END $$;
