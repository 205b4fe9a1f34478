-- When a staging tenant has moved its clock, and how far ahead of the real time it was then: so a moment by that clock can be told in
-- real time. What was before this migration counts as if the clock had been moved now.
CREATE TABLE sandbox_clock_moves (
  tenant_id bigint NOT NULL REFERENCES tenants,
  ahead_ms bigint NOT NULL CHECK (ahead_ms > 0),
  moved_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, ahead_ms)
);
INSERT INTO sandbox_clock_moves (tenant_id, ahead_ms, moved_at)
  SELECT tenant_id, ahead_ms, now() FROM sandbox_clocks WHERE ahead_ms > 0;
