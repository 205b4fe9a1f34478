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
BEGIN
  -- Try random codes first: with 2,000 codes in use, one draw in 500 fails, and ten in a row practically never do.
  FOR attempt IN 1..10 LOOP
    v_code := lpad((random_bits() % 1000000)::text, 6, '0');
    INSERT INTO access_codes VALUES (p_pick_up_point_id, v_code, p_locker_id) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN v_code; END IF;
  END LOOP;
  -- Few codes are free: take the next one after the last that was drawn, and then from the beginning. The index is read up to
  -- the first gap only.
  FOR round IN 1..2 LOOP
    LOOP
      SELECT lpad((used.code::int + 1)::text, 6, '0') INTO v_code
      FROM (
        SELECT code, lead(code) OVER (ORDER BY code) AS next
        FROM access_codes
        WHERE pick_up_point_id = p_pick_up_point_id AND code >= v_code
      ) AS used
      WHERE used.code < '999999' AND used.next::int IS DISTINCT FROM used.code::int + 1
      ORDER BY used.code LIMIT 1;
      EXIT WHEN v_code IS NULL;
      INSERT INTO access_codes VALUES (p_pick_up_point_id, v_code, p_locker_id) ON CONFLICT DO NOTHING;
      IF FOUND THEN RETURN v_code; END IF;
    END LOOP;
    v_code := '000000';
    INSERT INTO access_codes VALUES (p_pick_up_point_id, v_code, p_locker_id) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN v_code; END IF;
  END LOOP;
  RAISE EXCEPTION 'every access code of the pick up point is in use' USING ERRCODE = 'LF001';
END $$;
