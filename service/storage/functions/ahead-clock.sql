-- How far a staging tenant has moved its clock ahead of the real time (POST /sandbox/clock; production refuses it).
-- Events of the tenant's shipments have the tenant's time. Due times of the service itself are in real time:
-- service/sandbox/clock.ts brings them nearer when the tenant moves its clock.
CREATE FUNCTION clock_ahead(p_tenant_id bigint) RETURNS interval
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT c.ahead_ms * interval '1 millisecond' FROM sandbox_clocks c WHERE c.tenant_id = p_tenant_id), interval '0')
$$;

CREATE FUNCTION tenant_moment(p_tenant_id bigint) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN moment() + clock_ahead(p_tenant_id); END $$;
