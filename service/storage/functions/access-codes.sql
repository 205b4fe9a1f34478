-- Gives 48 random bits. gen_random_uuid takes them from a cryptographic generator.
CREATE FUNCTION random_bits() RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  SELECT ('x' || translate(left(gen_random_uuid()::text, 13), '-', ''))::bit(48)::bigint
$$;

-- Gives a code that no shipment at this pick up point has.
CREATE FUNCTION new_access_code(p_pick_up_point_id bigint, p_locker_id bigint) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_code text;
  v_free bigint;
BEGIN
  -- Try random codes first: with 2,000 codes in use, one draw in 500 fails, and ten in a row practically never do.
  FOR attempt IN 1..10 LOOP
    v_code := lpad((random_bits() % 1000000)::text, 6, '0');
    INSERT INTO access_codes VALUES (p_pick_up_point_id, v_code, p_locker_id) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN v_code; END IF;
  END LOOP;
  -- Few codes are free, and random draws could take too long: draw from the list of free codes.
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
