-- The clock of a staging tenant, and the processes outside the service that go by it. No row: the real time.
CREATE TABLE sandbox_clocks (
  tenant_id bigint PRIMARY KEY REFERENCES tenants,
  ahead_ms bigint NOT NULL CHECK (ahead_ms >= 0)
);
CREATE TABLE sandbox_clock_followers (
  tenant_id bigint NOT NULL REFERENCES tenants,
  name text NOT NULL,
  PRIMARY KEY (tenant_id, name)
);
