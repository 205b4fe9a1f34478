-- Two calls change a chain: lock_chain locks and reads it; the service asks the rules (contract/machines/) what the change does;
-- change_chain writes the result (service/shipments/lock-chain.ts and chain-steps.ts). These functions know no rule of a
-- shipment's life.

-- The states of active shipments, as in the partial indexes.
CREATE FUNCTION is_active(p_state_code text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_state_code IN ('Registered', 'ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup')
$$;

-- Finds the active shipment of a code that was typed at a pick up point. If the locker's name is given, the shipment must
-- be in that locker. outcome: null, or why there is no such shipment.
CREATE FUNCTION shipment_of_code(
  p_tenant_id bigint, p_pup_uid text, p_locker_name text, p_code text, OUT outcome text, OUT shipment_uid text)
LANGUAGE plpgsql AS $$
DECLARE
  v_pick_up_point_id bigint;
  v_locker_id bigint;
BEGIN
  SELECT p.pick_up_point_id, l.locker_id INTO v_pick_up_point_id, v_locker_id
  FROM pick_up_points p
  LEFT JOIN lockers l ON l.pick_up_point_id = p.pick_up_point_id AND l.locker_name = p_locker_name
  WHERE p.pup_uid = p_pup_uid AND p.tenant_id = p_tenant_id;
  IF NOT FOUND THEN
    outcome := 'InvalidPupUid';
  ELSIF p_locker_name IS NOT NULL AND v_locker_id IS NULL THEN
    outcome := 'InvalidLockerUid';
  ELSE
    SELECT s.shipment_uid INTO shipment_uid
    FROM access_codes a
    JOIN shipments s ON s.locker_id = a.locker_id AND is_active(s.state_code)
      AND a.code IN (s.pick_up_code, s.delivery_code)
    WHERE a.pick_up_point_id = v_pick_up_point_id AND a.code = p_code
      AND (v_locker_id IS NULL OR a.locker_id = v_locker_id)
    LIMIT 1;
    IF NOT FOUND THEN outcome := 'InvalidAccessCode'; END IF;
  END IF;
END $$;

-- The wall that opens a locker (null: no wall has credentials for it) and its command without a known outcome. While the
-- command is live, the door may still open, or its answer is on the way. VOLATILE: it must see what the last holder of
-- the lock wrote.
CREATE FUNCTION opening_of_locker(p_locker_id bigint) RETURNS jsonb
LANGUAGE sql VOLATILE AS $$
  SELECT jsonb_build_object(
    'wall', (
      SELECT jsonb_build_object('instanceId', w.instance_id, 'isConnected',
        is_wall_connected(w.session_id, w.seen_at))
      FROM lockers l JOIN walls w USING (pick_up_point_id)
      WHERE l.locker_id = p_locker_id AND EXISTS (SELECT FROM api_clients c
        WHERE c.wall_pick_up_point_id = w.pick_up_point_id AND c.revoked_at IS NULL)),
    'command', (
      SELECT jsonb_build_object('commandId', d.command_id, 'isLive', d.open_by + interval '1 second' > clock_timestamp())
      FROM door_commands d WHERE d.locker_id = p_locker_id AND d.outcome IS NULL))
$$;

-- Locks the chain of a shipment, which is named by its uid or by a code that was typed at a pick up point. Gives the
-- locker, the named shipment, and the chain's active shipments in order. Locks the accounts too, and gives the first one
-- that does not exist. outcome: 'locked', 'answered' or 'otherRequest' (see former_answer), or an error code.
CREATE FUNCTION lock_chain(
  p_tenant_id bigint, p_operation text, p_key_hash bytea, p_request_hash bytea,
  p_shipment_uid text, p_pup_uid text, p_locker_name text, p_code text, p_user_uids text[],
  OUT outcome text, OUT response jsonb, OUT locker jsonb, OUT shipments jsonb, OUT missing_user_uid text)
LANGUAGE plpgsql AS $$
DECLARE
  v_shipment_uid text := p_shipment_uid;
  v_shipment_id bigint;
  v_chain_id bigint;
  v_locker_id bigint;
  v_is_there boolean;
BEGIN
  IF p_key_hash IS NOT NULL THEN
    SELECT * INTO outcome, response FROM former_answer(p_tenant_id, p_operation, p_key_hash, p_request_hash);
    IF outcome IS NOT NULL THEN RETURN; END IF;
  END IF;
  IF p_shipment_uid IS NULL THEN
    SELECT * INTO outcome, v_shipment_uid FROM shipment_of_code(p_tenant_id, p_pup_uid, p_locker_name, p_code);
    IF outcome IS NOT NULL THEN RETURN; END IF;
  END IF;

  SELECT s.shipment_id, s.chain_id, l.locker_id, jsonb_build_object(
      'lockerId', l.locker_id, 'lockerUid', l.locker_uid, 'lockerName', l.locker_name,
      'inside', jsonb_build_object('smallSide', z.small_side, 'middleSide', z.middle_side, 'largeSide', z.large_side),
      'toBeEmptied', l.to_be_emptied, 'leftShipmentId', l.left_shipment_id, 'pickUpPointId', p.pick_up_point_id, 'pupUid', p.pup_uid,
      'requestedPickUpPointId', r.pick_up_point_id, 'requestedPupUid', r.pup_uid)
  INTO v_shipment_id, v_chain_id, v_locker_id, locker
  FROM shipments s
  JOIN lockers l ON l.locker_id = s.locker_id
  JOIN locker_sizes z ON z.locker_size_id = l.locker_size_id
  JOIN pick_up_points p ON p.pick_up_point_id = l.pick_up_point_id
  JOIN pick_up_points r ON r.pick_up_point_id = s.requested_pick_up_point_id
  WHERE s.shipment_uid = v_shipment_uid AND s.tenant_id = p_tenant_id
  -- Not FOR UPDATE: rows of walls' doors refer to lockers, and a wall tells of its doors meanwhile.
  FOR NO KEY UPDATE OF l;
  IF NOT FOUND THEN
    outcome := 'InvalidShipment';
    RETURN;
  END IF;

  -- The last holder of the lock may have opened a door and stored the answer to this same request.
  IF p_key_hash IS NOT NULL THEN
    SELECT * INTO outcome, response FROM former_answer(p_tenant_id, p_operation, p_key_hash, p_request_hash);
    IF outcome IS NOT NULL THEN RETURN; END IF;
  END IF;
  -- A separate statement, so that it sees what the last holder of the lock wrote.
  SELECT jsonb_agg(jsonb_build_object(
      'shipmentId', s.shipment_id, 'shipmentUid', s.shipment_uid, 'shipmentType', s.shipment_type,
      'stateCode', s.state_code, 'fromUserUid', f.user_uid, 'toUserUid', t.user_uid,
      'predecessor', CASE WHEN s.link IS NOT NULL THEN
        jsonb_build_object('shipmentUid', former.shipment_uid, 'link', s.link) END,
      'fromFollowsPredecessorReceiver', s.from_follows_predecessor_receiver,
      'keepBookedAfterPickUp', s.keep_booked_after_pick_up,
      'isStock', s.is_stock,
      'isItemLeft', s.state_code = 'Cancelled' AND (locker ->> 'toBeEmptied')::boolean
        AND s.shipment_id IS NOT DISTINCT FROM (locker ->> 'leftShipmentId')::bigint,
      'details', jsonb_build_object('referenceNo', s.reference_no, 'referenceCaseNo', s.reference_case_no,
        'description', s.description),
      'room', jsonb_build_object(
        'sides', jsonb_build_object('smallSide', s.small_side, 'middleSide', s.middle_side, 'largeSide', s.large_side),
        'allowLargerLockers', s.allow_larger_lockers, 'allowOverflowLockers', s.allow_overflow_lockers),
      'pickUpCode', s.pick_up_code, 'deliveryCode', s.delivery_code) ORDER BY s.shipment_id),
    bool_or(s.shipment_id = v_shipment_id)
  INTO shipments, v_is_there
  FROM (
    SELECT * FROM shipments active
    WHERE active.locker_id = v_locker_id AND active.chain_id = v_chain_id AND is_active(active.state_code)
    UNION ALL
    SELECT * FROM shipments named WHERE named.shipment_id = v_shipment_id AND NOT is_active(named.state_code)
  ) AS s
  LEFT JOIN accounts f ON f.account_id = s.from_account_id
  LEFT JOIN accounts t ON t.account_id = s.to_account_id
  LEFT JOIN shipments former ON former.shipment_id = s.predecessor_id;
  -- Retention has deleted it since the locker was found: it takes no lock of a locker.
  IF v_is_there IS NOT TRUE THEN
    outcome := 'InvalidShipment';
    RETURN;
  END IF;
  locker := locker || opening_of_locker(v_locker_id);
  missing_user_uid := hold_accounts(p_user_uids);
  outcome := 'locked';
END $$;

-- Writes the change of a chain that lock_chain has locked. p_steps are in the order of the rules: a predecessor ends
-- before its successor gets the locker (one_shipment_in_a_locker). A step books a shipment ('booked', as
-- insert_shipments takes it) or sets the named columns of a shipment. Codes are 'new', 'shared' (the predecessor's
-- current PickUpCode) or null. p_former_codes: the codes that the chain had before. p_to_be_emptied: whether the locker
-- must be emptied; null leaves it as it is. p_accessed_at: when the locker was opened for it; a step with 'access_goal' is that
-- access, where it changes no state.
CREATE FUNCTION change_chain(
  p_tenant_id bigint, p_operation text, p_key_hash bytea, p_request_hash bytea, p_response jsonb,
  p_locker_id bigint, p_requested_pick_up_point_id bigint, p_steps jsonb, p_former_codes text[],
  p_released boolean, p_to_be_emptied boolean, p_accessed_at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  -- Read after the lock was taken, so that later changes of the chain have later times.
  v_now timestamptz := tenant_moment(p_tenant_id);
  v_pick_up_point_id bigint := (SELECT pick_up_point_id FROM lockers WHERE locker_id = p_locker_id);
  v_step jsonb;
  v_shipment_id bigint;
  v_told_ids bigint[] := '{}';
  v_pick_up_code text;
  v_delivery_code text;
BEGIN
  FOR v_step IN SELECT * FROM jsonb_array_elements(p_steps) LOOP
    IF v_step ? 'booked' THEN
      PERFORM insert_shipments(
        p_locker_id, p_requested_pick_up_point_id, v_now, jsonb_build_array(v_step -> 'booked'));
      CONTINUE;
    END IF;
    v_shipment_id := (v_step ->> 'shipment_id')::bigint;
    v_pick_up_code := CASE v_step ->> 'pick_up_code'
      WHEN 'new' THEN new_access_code(v_pick_up_point_id, p_locker_id) END;
    v_delivery_code := CASE v_step ->> 'delivery_code'
      WHEN 'new' THEN new_access_code(v_pick_up_point_id, p_locker_id)
      WHEN 'shared' THEN (SELECT former.pick_up_code FROM shipments s
        JOIN shipments former ON former.shipment_id = s.predecessor_id WHERE s.shipment_id = v_shipment_id) END;
    UPDATE shipments s SET
      updated_at = v_now,
      state_code = CASE WHEN v_step ? 'state_code' THEN v_step ->> 'state_code' ELSE s.state_code END,
      state_start = CASE WHEN v_step ? 'state_code' THEN v_now ELSE s.state_start END,
      from_account_id = CASE WHEN v_step ? 'from_user_uid'
        THEN (SELECT account_id FROM accounts WHERE user_uid = v_step ->> 'from_user_uid') ELSE s.from_account_id END,
      to_account_id = CASE WHEN v_step ? 'to_user_uid'
        THEN (SELECT account_id FROM accounts WHERE user_uid = v_step ->> 'to_user_uid') ELSE s.to_account_id END,
      reference_no = CASE WHEN v_step ? 'reference_no' THEN v_step ->> 'reference_no' ELSE s.reference_no END,
      reference_case_no = CASE WHEN v_step ? 'reference_case_no'
        THEN v_step ->> 'reference_case_no' ELSE s.reference_case_no END,
      description = CASE WHEN v_step ? 'description' THEN v_step ->> 'description' ELSE s.description END,
      pick_up_code = CASE WHEN v_step ? 'pick_up_code' THEN v_pick_up_code ELSE s.pick_up_code END,
      delivery_code = CASE WHEN v_step ? 'delivery_code' THEN v_delivery_code ELSE s.delivery_code END
    WHERE s.shipment_id = v_shipment_id;
    PERFORM change_shipment_objects(v_shipment_id, v_step);
    IF v_step ? 'state_code' THEN v_told_ids := v_told_ids || v_shipment_id; END IF;
    IF v_step ? 'access_goal' THEN
      PERFORM record_events(
        ARRAY[v_shipment_id], 'ShipmentAccess', v_step ->> 'access_goal', p_accessed_at, p_only_for_askers => true);
    END IF;
  END LOOP;

  IF v_told_ids <> '{}' THEN PERFORM record_events(v_told_ids); END IF;
  -- Codes that no shipment of the chain uses any more are free again at the pick up point.
  DELETE FROM access_codes former
  WHERE former.pick_up_point_id = v_pick_up_point_id AND former.code = ANY (p_former_codes)
    AND NOT EXISTS (SELECT FROM shipments s
      WHERE s.locker_id = p_locker_id AND is_active(s.state_code) AND former.code IN (s.pick_up_code, s.delivery_code));
  UPDATE lockers l SET chain_id = CASE WHEN p_released THEN NULL ELSE l.chain_id END,
    to_be_emptied = coalesce(p_to_be_emptied, l.to_be_emptied),
    -- A cancelled collect-only booking leaves nothing in the locker (p_to_be_emptied is null): the last user stays recorded.
    left_shipment_id = CASE WHEN p_to_be_emptied IS NULL THEN l.left_shipment_id
      WHEN p_to_be_emptied THEN (SELECT min(s.shipment_id) FROM shipments s
        WHERE s.shipment_id = ANY (v_told_ids) AND s.state_code = 'Cancelled') END
  WHERE l.locker_id = p_locker_id AND (p_released OR l.to_be_emptied <> p_to_be_emptied);
  IF p_key_hash IS NOT NULL THEN
    PERFORM keep_answer(p_tenant_id, p_operation, p_key_hash, p_request_hash, p_response);
  END IF;
END $$;

CREATE FUNCTION change_shipment_objects(p_shipment_id bigint, p_step jsonb) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_step ? 'add_object' THEN
    INSERT INTO shipment_objects (shipment_object_uid, shipment_id, reference_no, description, weight_grams, count,
      width, height, length)
    SELECT shipment_object_uid, p_shipment_id, reference_no, description, weight_grams, count, width, height, length
    FROM jsonb_populate_record(NULL::shipment_objects, p_step -> 'add_object');
  END IF;
  IF p_step ? 'remove_object' THEN
    DELETE FROM shipment_objects
    WHERE shipment_object_uid = p_step ->> 'remove_object' AND shipment_id = p_shipment_id;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the shipment has no such object' USING ERRCODE = 'LF002';
    END IF;
  END IF;
END $$;
