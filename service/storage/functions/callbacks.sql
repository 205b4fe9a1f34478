CREATE TYPE claimed_callback AS (
  shipment_id bigint, tenant_id bigint, lease_id uuid, attempts integer, is_probe boolean,
  url text, auth_type text, extra_fields boolean,
  -- The keys that are valid now, as they are stored, the newest first.
  keys jsonb,
  -- The first pending event of the shipment. Null: no event is pending any more.
  event_id bigint, shipment_uid text, state_code text, state_start timestamptz, shipment_type text,
  reference_no text, reference_case_no text, description text, pup_uid text, from_user_uid text, to_user_uid text,
  message_type text, access_goal text, accessed_at timestamptz
);

-- VOLATILE: it must see each event that was committed before the rows were locked.
CREATE FUNCTION callbacks_of(p_shipment_ids bigint[], p_probe_ids bigint[]) RETURNS SETOF claimed_callback
LANGUAGE sql VOLATILE AS $$
  SELECT q.shipment_id, q.tenant_id, q.lease_id, q.attempts, q.shipment_id = ANY (p_probe_ids),
    c.url, c.auth_type, c.extra_fields, (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'callbackKeyId', k.callback_key_id, 'purpose', k.purpose, 'sealed', k.sealed_key
      ) ORDER BY k.callback_key_id DESC), '[]')
      FROM callback_keys k WHERE k.tenant_id = q.tenant_id AND (k.valid_until IS NULL OR k.valid_until > now() + clock_ahead(q.tenant_id))
    ),
    e.event_id, e.shipment_uid, e.state_code, e.state_start, e.shipment_type,
    e.reference_no, e.reference_case_no, e.description, e.pup_uid, e.from_user_uid, e.to_user_uid,
    e.message_type, e.access_goal, e.accessed_at
  FROM callback_queue q
  JOIN callback_configurations c USING (tenant_id)
  LEFT JOIN LATERAL (
    SELECT * FROM shipment_events p WHERE p.shipment_id = q.shipment_id AND p.is_pending
    ORDER BY p.event_id LIMIT 1
  ) AS e ON true
  WHERE q.shipment_id = ANY (p_shipment_ids)
$$;

-- Claims shipments whose callbacks are due. They belong to one sender until its lease ends. p_busy counts, for each
-- tenant, the callbacks that the sender has already; p_busy_repeated counts those of them that are repeats.
CREATE FUNCTION claim_callbacks(
  p_busy_tenant_ids bigint[], p_busy integer[], p_busy_repeated integer[],
  p_parallel integer, p_parallel_repeated integer, p_total integer, p_lease interval)
RETURNS SETOF claimed_callback
LANGUAGE plpgsql AS $$
DECLARE
  v_lease_id uuid := gen_random_uuid();
  v_shipment_ids bigint[];
  v_probe_ids bigint[];
BEGIN
  -- Do not wait for the disk: if the database crashes, it forgets claims and results.
  -- The service then sends these callbacks again, in order.
  PERFORM set_config('synchronous_commit', 'off', true);

  WITH receivers AS (
    SELECT c.tenant_id, p_parallel - coalesce(b.busy, 0) AS room,
      greatest(p_parallel_repeated - coalesce(b.repeated, 0), 0) AS room_for_repeated
    FROM callback_configurations c
    LEFT JOIN unnest(p_busy_tenant_ids, p_busy, p_busy_repeated) AS b (tenant_id, busy, repeated) USING (tenant_id)
    WHERE c.url IS NOT NULL AND coalesce(b.busy, 0) < p_parallel
      AND NOT EXISTS (SELECT FROM callback_outages o WHERE o.tenant_id = c.tenant_id)
    -- A random order, so that no tenant is always the last to get a share of p_total.
    ORDER BY random()
  ), due AS MATERIALIZED (
    SELECT lane.shipment_id
    FROM receivers r CROSS JOIN LATERAL (
      SELECT * FROM (SELECT q.shipment_id FROM callback_queue q
       WHERE q.tenant_id = r.tenant_id AND q.attempts = 0 AND q.due_at <= now()
       ORDER BY q.due_at LIMIT r.room FOR NO KEY UPDATE SKIP LOCKED) AS first_try
      UNION ALL
      SELECT * FROM (SELECT q.shipment_id FROM callback_queue q
       WHERE q.tenant_id = r.tenant_id AND q.attempts > 0 AND q.due_at <= now()
       ORDER BY q.due_at LIMIT r.room_for_repeated FOR NO KEY UPDATE SKIP LOCKED) AS repeated
      LIMIT r.room
    ) AS lane
    LIMIT p_total
  ), leased AS (
    UPDATE callback_queue q SET due_at = now() + p_lease, lease_id = v_lease_id
    FROM due WHERE q.shipment_id = due.shipment_id
    RETURNING q.shipment_id
  )
  SELECT coalesce(array_agg(shipment_id), '{}') INTO v_shipment_ids FROM leased;

  WITH down AS MATERIALIZED (
    SELECT o.tenant_id, o.probe_at <= now() AS is_probe_due
    FROM callback_outages o JOIN callback_configurations c USING (tenant_id)
    WHERE o.first_try_at <= now() AND c.url IS NOT NULL
    LIMIT p_total - cardinality(v_shipment_ids) FOR NO KEY UPDATE OF o SKIP LOCKED
  ), due AS MATERIALIZED (
    SELECT d.tenant_id, lane.shipment_id
    FROM down d CROSS JOIN LATERAL (
      SELECT * FROM (SELECT q.shipment_id FROM callback_queue q
       WHERE q.tenant_id = d.tenant_id AND q.attempts = 0 AND q.due_at <= now()
       ORDER BY q.due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS first_try
      UNION ALL
      SELECT * FROM (SELECT q.shipment_id FROM callback_queue q
       WHERE d.is_probe_due
         AND q.tenant_id = d.tenant_id AND q.attempts > 0 AND q.due_at <= now()
       ORDER BY q.due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS repeated
      LIMIT 1
    ) AS lane
  ), held AS (
    -- No other sender probes until this probe ends or its sender must be dead.
    UPDATE callback_outages o
    SET first_try_at = now() + p_lease, probe_at = greatest(o.probe_at, now() + p_lease)
    FROM due WHERE o.tenant_id = due.tenant_id
  ), leased AS (
    UPDATE callback_queue q SET due_at = now() + p_lease, lease_id = v_lease_id
    FROM due WHERE q.shipment_id = due.shipment_id
    RETURNING q.shipment_id
  )
  SELECT coalesce(array_agg(shipment_id), '{}') INTO v_probe_ids FROM leased;

  RETURN QUERY SELECT * FROM callbacks_of(v_shipment_ids || v_probe_ids, v_probe_ids);
END $$;

-- The next moment at which a callback becomes due; null if none will.
CREATE FUNCTION next_callback_due() RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT min(least(
    greatest(
      (SELECT q.due_at FROM callback_queue q
       WHERE q.tenant_id = c.tenant_id AND q.attempts = 0 AND q.due_at > c.later_than
       ORDER BY q.due_at LIMIT 1), c.first_try_at),
    greatest(
      (SELECT q.due_at FROM callback_queue q
       WHERE q.tenant_id = c.tenant_id AND q.attempts > 0 AND q.due_at > c.later_than
       ORDER BY q.due_at LIMIT 1), c.probe_at)))
  FROM (
    SELECT tenant_id, o.first_try_at, o.probe_at,
      -- A callback that is due but not claimed waits for a free place or for the probe of its receiver.
      CASE WHEN o.tenant_id IS NULL THEN now() ELSE '-infinity' END AS later_than
    FROM callback_configurations LEFT JOIN callback_outages o USING (tenant_id)
    WHERE url IS NOT NULL
  ) AS c
$$;

CREATE TYPE callback_outcome AS (
  shipment_id bigint, tenant_id bigint, lease_id uuid, event_id bigint, attempt integer, is_probe boolean,
  accepted boolean, answer_status integer, error text, milliseconds integer, delay_ms double precision,
  -- What the answer (or its absence) says about the receiver: 'up', 'down', or null for nothing.
  receiver text, pause_ms double precision
);

-- Records the results of claimed callbacks. next_ids: shipments with another event; the same sender keeps them under a
-- new lease. busy_ids: rows that a change of state has locked; the sender records them again a moment later.
CREATE FUNCTION settle_callbacks(
  p_outcomes jsonb, p_lease interval, p_first_probe_ms double precision, p_last_probe_ms double precision,
  OUT next_ids bigint[], OUT busy_ids bigint[])
LANGUAGE plpgsql AS $$
DECLARE
  v_outcomes callback_outcome[] := ARRAY(
    SELECT o::callback_outcome FROM jsonb_populate_recordset(NULL::callback_outcome, p_outcomes) AS o);
  v_settled_ids bigint[];
  v_up bigint[];
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);

  UPDATE shipment_events e
  SET is_pending = false, delivered_at = clock_timestamp() + clock_ahead(o.tenant_id), attempts = o.attempt, answer_status = o.answer_status
  FROM unnest(v_outcomes) AS o
  WHERE o.accepted AND e.event_id = o.event_id AND e.is_pending;

  INSERT INTO callback_failures AS former
  SELECT o.event_id, o.attempt % 10, o.attempt, clock_timestamp() + clock_ahead(o.tenant_id), o.milliseconds, o.answer_status, o.error
  FROM unnest(v_outcomes) AS o
  WHERE NOT o.accepted AND EXISTS (SELECT FROM shipment_events e WHERE e.event_id = o.event_id FOR KEY SHARE)
  ON CONFLICT (event_id, slot) DO UPDATE SET attempt = excluded.attempt, failed_at = excluded.failed_at,
    milliseconds = excluded.milliseconds, answer_status = excluded.answer_status, error = excluded.error;

  SELECT coalesce(array_agg(shipment_id), '{}') INTO v_settled_ids
  FROM (
    SELECT q.shipment_id
    FROM callback_queue q JOIN unnest(v_outcomes) AS o USING (shipment_id, lease_id)
    ORDER BY q.shipment_id FOR NO KEY UPDATE OF q SKIP LOCKED
  ) AS locked;
  SELECT coalesce(array_agg(q.shipment_id), '{}') INTO busy_ids
  FROM callback_queue q JOIN unnest(v_outcomes) AS o USING (shipment_id, lease_id)
  WHERE NOT q.shipment_id = ANY (v_settled_ids);

  UPDATE callback_queue q
  SET attempts = o.attempt, lease_id = NULL, due_at = now() + o.delay_ms * interval '1 millisecond'
  FROM unnest(v_outcomes) AS o
  WHERE q.shipment_id = ANY (v_settled_ids) AND q.shipment_id = o.shipment_id AND NOT o.accepted;

  WITH done AS MATERIALIZED (
    SELECT o.shipment_id, c.url IS NOT NULL AS goes_on,
      EXISTS (SELECT FROM shipment_events e WHERE e.shipment_id = o.shipment_id AND e.is_pending) AS has_more
    FROM unnest(v_outcomes) AS o
    JOIN callback_queue q USING (shipment_id)
    JOIN callback_configurations c ON c.tenant_id = q.tenant_id
    WHERE o.shipment_id = ANY (v_settled_ids) AND (o.accepted OR o.event_id IS NULL)
  ), gone AS (
    DELETE FROM callback_queue q USING done WHERE q.shipment_id = done.shipment_id AND NOT done.has_more
  ), kept AS (
    UPDATE callback_queue q
    SET attempts = 0, due_at = CASE WHEN goes_on THEN now() + p_lease ELSE now() END,
      lease_id = CASE WHEN goes_on THEN q.lease_id END
    FROM done WHERE q.shipment_id = done.shipment_id AND done.has_more
    RETURNING q.shipment_id, goes_on
  )
  SELECT coalesce(array_agg(shipment_id) FILTER (WHERE goes_on), '{}') INTO next_ids FROM kept;

  v_up := ARRAY(SELECT DISTINCT o.tenant_id FROM unnest(v_outcomes) AS o WHERE o.receiver = 'up');
  DELETE FROM callback_outages WHERE tenant_id = ANY (v_up);
  IF FOUND THEN PERFORM pg_notify('callbacks_due', ''); END IF;

  -- Only a failed probe makes the next pause longer. The others were under way already.
  -- They say nothing new.
  INSERT INTO callback_outages AS outage (tenant_id, since, probe_at, first_try_at, error)
  SELECT o.tenant_id, now() + clock_ahead(o.tenant_id), now() + greatest(max(o.pause_ms), p_first_probe_ms) * interval '1 millisecond',
    now() + greatest(max(o.pause_ms), p_first_probe_ms) * interval '1 millisecond', min(o.error)
  FROM unnest(v_outcomes) AS o
  WHERE o.receiver = 'down' AND NOT o.tenant_id = ANY (v_up)
  GROUP BY o.tenant_id ORDER BY o.tenant_id
  ON CONFLICT (tenant_id) DO UPDATE SET error = excluded.error;
  UPDATE callback_outages outage
  SET probes = outage.probes + 1,
    probe_at = now() + greatest(coalesce(o.pause_ms, 0),
      least(p_first_probe_ms * 2.0 ^ least(outage.probes + 1, 30), p_last_probe_ms) * (1 - 0.2 * random())
    ) * interval '1 millisecond',
    first_try_at = now() + greatest(coalesce(o.pause_ms, 0), p_first_probe_ms) * interval '1 millisecond'
  FROM unnest(v_outcomes) AS o
  -- One whose shipment is locked comes again, and counts then.
  WHERE o.is_probe AND o.receiver = 'down' AND outage.tenant_id = o.tenant_id AND NOT o.shipment_id = ANY (busy_ids);
END $$;
