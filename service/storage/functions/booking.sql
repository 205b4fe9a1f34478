-- A booking: book_chain makes it in one call, book_chains makes several. free-lockers.sql chooses the locker;
-- service/shipments/book-chain.ts calls it.

-- The current time in milliseconds, as state_start and updated_at are sent.
CREATE FUNCTION moment() RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) $$;

-- Inserts the planned shipments, in chain order, into a locker that the caller has locked. If no chain holds the locker,
-- the first of these shipments holds it from now on. Codes are 'new', 'shared' (the predecessor's PickUpCode) or null.
CREATE FUNCTION insert_shipments(
  p_locker_id bigint, p_requested_pick_up_point_id bigint, p_now timestamptz, p_shipments jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_locker lockers;
  v_new record;
  v_predecessor shipments;
  v_shipment_id bigint;
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
      predecessor_uid text, link text, from_follows_predecessor_receiver boolean, is_stock boolean,
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
      from_follows_predecessor_receiver, is_stock, pick_up_code, delivery_code)
    VALUES (v_shipment_id, v_new.shipment_uid, v_locker.tenant_id, v_locker.chain_id, v_new.shipment_type,
      v_new.state_code, p_now, p_now, v_new.reference_no, v_new.reference_case_no, v_new.description,
      (SELECT account_id FROM accounts WHERE user_uid = v_new.from_user_uid),
      (SELECT account_id FROM accounts WHERE user_uid = v_new.to_user_uid),
      p_requested_pick_up_point_id, v_locker.pick_up_point_id, p_locker_id,
      v_new.small_side, v_new.middle_side, v_new.large_side,
      v_new.allow_larger_lockers, v_new.allow_overflow_lockers, v_new.keep_booked_after_pick_up,
      v_predecessor.shipment_id, v_new.link, v_new.from_follows_predecessor_receiver, v_new.is_stock,
      v_pick_up_code, v_delivery_code);
  END LOOP;
END $$;

-- As service/shipments/book-chain.ts sends it.
CREATE TYPE booking AS (
  tenant_id bigint, pup_uid text, locker_uid text,
  small_side double precision, middle_side double precision, large_side double precision,
  allow_larger boolean, allow_overflow boolean, may_empty boolean,
  named_user_uids text[], shipments jsonb, response jsonb,
  operation text, key_hash bytea, request_hash bytea,
  client_id text, on_behalf_of text, request_id text, uids text[]
);

-- Books a new chain into a free locker. outcome: 'booked', or 'answered' if an earlier call with the same key did it,
-- with the response and its entry in the audit log. Otherwise the reason: 'otherRequest', an error code, or
-- 'NotPermitted' or 'NotFree' if the request names a locker. 'Busy': bookings under way hold all lockers that are free, or,
-- with p_waits, the one that it has waited for is booked.
CREATE FUNCTION book_chain(b booking, p_waits boolean, OUT outcome text, OUT response jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  v_pick_up_point_id bigint;
  v_locker_size_ids bigint[];
  v_locker_id bigint;
  v_locker lockers;
  v_missing_user_uid text;
BEGIN
  IF b.key_hash IS NOT NULL THEN
    SELECT * INTO outcome, response FROM former_answer(b.tenant_id, b.operation, b.key_hash, b.request_hash);
    IF outcome IS NOT NULL THEN RETURN; END IF;
  END IF;

  SELECT pick_up_point_id INTO v_pick_up_point_id FROM pick_up_points
  WHERE pup_uid = b.pup_uid AND tenant_id = b.tenant_id;
  v_locker_size_ids := permitted_locker_sizes(
    v_pick_up_point_id, b.small_side, b.middle_side, b.large_side, b.allow_larger, b.allow_overflow);
  v_missing_user_uid := hold_accounts(b.named_user_uids);

  IF v_pick_up_point_id IS NULL THEN
    outcome := 'InvalidPupUid';
  ELSIF v_missing_user_uid IS NOT NULL THEN
    outcome := 'InvalidUserUid';
    response := to_jsonb(v_missing_user_uid);
  ELSIF b.locker_uid IS NOT NULL THEN
    SELECT * INTO v_locker FROM lockers
    WHERE locker_uid = b.locker_uid AND pick_up_point_id = v_pick_up_point_id FOR UPDATE;
    IF NOT FOUND THEN
      outcome := 'InvalidLockerUid';
    ELSIF NOT EXISTS (SELECT FROM locker_sizes s WHERE s.locker_size_id = v_locker.locker_size_id
      AND s.small_side >= b.small_side AND s.middle_side >= b.middle_side AND s.large_side >= b.large_side) THEN
      outcome := 'NoFittingLocker';
    ELSIF NOT v_locker.locker_size_id = ANY (v_locker_size_ids) THEN
      outcome := 'NotPermitted';
    ELSIF v_locker.chain_id IS NOT NULL OR v_locker.out_of_order
      OR (v_locker.to_be_emptied AND NOT b.may_empty)
      OR EXISTS (SELECT FROM lockers_standing_open() AS standing WHERE standing.locker_id = v_locker.locker_id) THEN
      outcome := 'NotFree';
    ELSE
      outcome := 'booked';
    END IF;
  ELSIF v_locker_size_ids IS NULL THEN
    outcome := 'NoFittingLocker';
  ELSE
    v_locker_id := CASE WHEN p_waits THEN wait_for_free_locker(v_locker_size_ids)
      ELSE lock_free_locker(v_locker_size_ids) END;
    SELECT * INTO v_locker FROM lockers WHERE locker_id = v_locker_id;
    outcome := CASE WHEN FOUND THEN 'booked' WHEN v_locker_id = 0 THEN 'Busy' ELSE 'NoLockerAvailable' END;
  END IF;

  IF outcome <> 'booked' THEN RETURN; END IF;

  PERFORM insert_shipments(v_locker.locker_id, v_pick_up_point_id, tenant_moment(b.tenant_id), b.shipments);
  SELECT b.response || jsonb_build_object('pupUid', p.pup_uid, 'lockerName', v_locker.locker_name) INTO response
  FROM pick_up_points p WHERE p.pick_up_point_id = v_locker.pick_up_point_id;
  IF b.key_hash IS NOT NULL THEN
    PERFORM keep_answer(b.tenant_id, b.operation, b.key_hash, b.request_hash, response);
  END IF;
  INSERT INTO audit_log (tenant_id, client_id, on_behalf_of, operation, uids, outcome, request_id)
  VALUES (b.tenant_id, b.client_id, b.on_behalf_of, b.operation, b.uids, 'Success', b.request_id);
END $$;

-- Several bookings in one transaction, one after another. Gives their outcomes in the same order. All that they may have to wait for
-- is locked before the first locker, in one order everywhere: who holds a locker waits for nobody, so no two wait for each other.
-- p_waits: only for one that comes alone.
CREATE FUNCTION book_chains(p_bookings jsonb, p_waits boolean) RETURNS TABLE (outcome text, response jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  v_bookings booking[] := ARRAY(SELECT b FROM jsonb_populate_recordset(NULL::booking, p_bookings) AS b);
  v_booking booking;
BEGIN
  IF cardinality(v_bookings) > 1 THEN
    PERFORM lock_keys(ARRAY(
      SELECT key_lock(b.tenant_id, b.operation, b.key_hash) FROM unnest(v_bookings) AS b WHERE b.key_hash IS NOT NULL));
    PERFORM lock_accounts(ARRAY(SELECT unnest(b.named_user_uids) FROM unnest(v_bookings) AS b));
  END IF;
  FOREACH v_booking IN ARRAY v_bookings LOOP
    RETURN QUERY SELECT * FROM book_chain(v_booking, p_waits);
  END LOOP;
END $$;
