-- Gives 48 random bits. gen_random_uuid takes them from a cryptographic generator.
CREATE FUNCTION random_bits() RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  SELECT ('x' || translate(left(gen_random_uuid()::text, 13), '-', ''))::bit(48)::bigint
$$;

-- Gives a code that no shipment at this pick up point has. With 2,000 of the million in use, one draw in 500 is taken; that ten
-- in a row are taken practically means that most are in use.
CREATE FUNCTION new_access_code(p_pick_up_point_id bigint, p_locker_id bigint) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_code text;
BEGIN
  FOR attempt IN 1..10 LOOP
    v_code := lpad((random_bits() % 1000000)::text, 6, '0');
    INSERT INTO access_codes VALUES (p_pick_up_point_id, v_code, p_locker_id) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN v_code; END IF;
  END LOOP;
  RAISE EXCEPTION 'nearly every access code of the pick up point is in use' USING ERRCODE = 'LF001';
END $$;
