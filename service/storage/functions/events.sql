-- Records what happened to these shipments, in this order, as events, and queues the shipments that have a callback to
-- send. It queues exactly what it recorded as pending: if the callback url is removed meanwhile, no pending event is left
-- without a row in the queue. It does not wake the senders, because a transaction with NOTIFY commits under a lock of the
-- whole server. The caller wakes them after its commit. With p_only_for_askers, only those tenants that ask for
-- such messages have the events.
CREATE FUNCTION record_events(
  p_shipment_ids bigint[], p_message_type text DEFAULT 'ShipmentStatusUpdate',
  p_access_goal text DEFAULT NULL, p_accessed_at timestamptz DEFAULT NULL,
  p_only_for_askers boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH recorded AS (
    INSERT INTO shipment_events (tenant_id, shipment_id, shipment_uid, state_code, state_start, shipment_type,
      reference_no, reference_case_no, description, pup_uid, from_user_uid, to_user_uid, created_at, is_pending,
      message_type, access_goal, accessed_at)
    SELECT s.tenant_id, s.shipment_id, s.shipment_uid, s.state_code, s.state_start, s.shipment_type,
      s.reference_no, s.reference_case_no, s.description, p.pup_uid, f.user_uid, t.user_uid,
      now() + clock_ahead(s.tenant_id), c.url IS NOT NULL, p_message_type, p_access_goal, p_accessed_at
    FROM unnest(p_shipment_ids) WITH ORDINALITY AS changed (shipment_id, position)
    JOIN shipments s USING (shipment_id)
    JOIN pick_up_points p ON p.pick_up_point_id = s.pick_up_point_id
    LEFT JOIN accounts f ON f.account_id = s.from_account_id
    LEFT JOIN accounts t ON t.account_id = s.to_account_id
    LEFT JOIN callback_configurations c ON c.tenant_id = s.tenant_id
    WHERE NOT p_only_for_askers OR c.access_messages
    ORDER BY changed.position
    RETURNING shipment_id, tenant_id, is_pending
  )
  -- The update changes nothing; it locks the row (see callback_queue). A stuck shipment keeps its due time.
  INSERT INTO callback_queue AS queue (shipment_id, tenant_id, due_at)
  SELECT DISTINCT r.shipment_id, r.tenant_id, now() FROM recorded r WHERE r.is_pending
  ORDER BY r.shipment_id
  ON CONFLICT (shipment_id) DO UPDATE SET tenant_id = queue.tenant_id;
END $$;
