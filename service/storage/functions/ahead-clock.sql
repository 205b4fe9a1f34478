-- How far a staging tenant has moved its clock ahead of the real time (POST /sandbox/clock; production refuses it).
-- Events of the tenant's shipments have the tenant's time, and are told in real time as history. Due times of the service itself are in real time:
-- service/sandbox/clock.ts brings them nearer when the tenant moves its clock.
CREATE FUNCTION clock_ahead(p_tenant_id bigint) RETURNS interval
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT c.ahead_ms * interval '1 millisecond' FROM sandbox_clocks c WHERE c.tenant_id = p_tenant_id), interval '0')
$$;

CREATE FUNCTION tenant_moment(p_tenant_id bigint) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN moment() + clock_ahead(p_tenant_id); END $$;

-- The real time of a moment by the tenant's clock. One that a move has skipped is that of the move.
CREATE FUNCTION real_moment(p_tenant_id bigint, p_at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT least(
    p_at - coalesce(max(move.ahead) FILTER (WHERE move.moved_at + move.ahead <= p_at), interval '0'),
    min(move.moved_at) FILTER (WHERE move.moved_at + move.ahead > p_at))
  FROM (
    SELECT m.moved_at, m.ahead_ms * interval '1 millisecond' AS ahead
    FROM sandbox_clock_moves m WHERE m.tenant_id = p_tenant_id
  ) AS move
$$;
