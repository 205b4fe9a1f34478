-- Whether the wall of this row has a connection. An instance says every few seconds that it has one (service/walls/walls.ts,
-- BEAT_MS); one that has not said it for 6 s counts as dead. VOLATILE: a transaction that waited for a lock must see the time of
-- now.
CREATE FUNCTION is_wall_connected(p_session_id uuid, p_seen_at timestamptz) RETURNS boolean
LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(p_session_id IS NOT NULL AND p_seen_at > clock_timestamp() - interval '6 seconds', false)
$$;
