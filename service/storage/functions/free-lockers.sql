-- The sizes that this booking may use, in the order of trying: first those of the pick up point itself, smallest volume
-- first, then those of its overflow pick up points in their order (assumptions: Lockers and codes).
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

-- The lockers whose doors stand open, as their walls told last: somebody else's item may still be inside, and nobody knows what is put
-- in or taken out. A wall that is cut off has not said that they were shut. What a wall has told counts no more once no client may
-- connect it.
CREATE FUNCTION lockers_standing_open() RETURNS TABLE (locker_id bigint)
LANGUAGE sql STABLE AS $$
  SELECT told.locker_id FROM wall_doors AS told JOIN lockers AS locker USING (locker_id)
  WHERE told.door = 'open' AND EXISTS (
    SELECT FROM api_clients AS client
    WHERE client.wall_pick_up_point_id = locker.pick_up_point_id AND client.revoked_at IS NULL)
$$;

-- Locks and gives a free locker of the first of these sizes that has one; null if none has. 0: bookings under way have locked all
-- that are left. It waits for nobody: a locker that was booked meanwhile stays locked until the transaction ends, and whoever holds a
-- lock must not wait for another.
CREATE FUNCTION lock_free_locker(p_locker_size_ids bigint[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_locker_size_id bigint;
  v_locker_id bigint;
BEGIN
  FOREACH v_locker_size_id IN ARRAY p_locker_size_ids LOOP
    SELECT locker_id INTO v_locker_id FROM lockers
    WHERE locker_size_id = v_locker_size_id AND chain_id IS NULL AND NOT out_of_order AND NOT to_be_emptied
      AND NOT EXISTS (SELECT FROM lockers_standing_open() AS standing WHERE standing.locker_id = lockers.locker_id)
    ORDER BY locker_id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF FOUND THEN RETURN v_locker_id; END IF;
  END LOOP;
  RETURN CASE WHEN first_free_locker(p_locker_size_ids) IS NULL THEN NULL ELSE 0 END;
END $$;

-- For a transaction that has locked no locker: waits for the booking that holds the first of those that are free. It may fail and
-- leave its locker free. Null if none is free. 0: it is booked now, and others may have become free meanwhile.
CREATE FUNCTION wait_for_free_locker(p_locker_size_ids bigint[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_locker_id bigint := first_free_locker(p_locker_size_ids);
BEGIN
  IF v_locker_id IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM lockers WHERE locker_id = v_locker_id AND chain_id IS NULL AND NOT out_of_order AND NOT to_be_emptied FOR UPDATE;
  RETURN CASE WHEN FOUND THEN v_locker_id ELSE 0 END;
END $$;

-- Locks nothing.
CREATE FUNCTION first_free_locker(p_locker_size_ids bigint[]) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  SELECT locker_id FROM lockers
  WHERE locker_size_id = ANY (p_locker_size_ids) AND chain_id IS NULL AND NOT out_of_order AND NOT to_be_emptied
    AND NOT EXISTS (SELECT FROM lockers_standing_open() AS standing WHERE standing.locker_id = lockers.locker_id)
  ORDER BY array_position(p_locker_size_ids, locker_size_id), locker_id LIMIT 1
$$;
