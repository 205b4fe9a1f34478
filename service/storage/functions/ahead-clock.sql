-- By how much a staging tenant has moved its clock ahead of the real one (POST /sandbox/clock). Nobody can in production.
-- What happens to a tenant's shipments has the tenant's time. What the service itself waits for has real time: when a
-- clock is moved, that moves the other way (service/sandbox/clock.ts).
CREATE FUNCTION clock_ahead(p_tenant_id bigint) RETURNS interval
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT c.ahead_ms * interval '1 millisecond' FROM sandbox_clocks c WHERE c.tenant_id = p_tenant_id), interval '0')
$$;

CREATE FUNCTION tenant_moment(p_tenant_id bigint) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN moment() + clock_ahead(p_tenant_id); END $$;
