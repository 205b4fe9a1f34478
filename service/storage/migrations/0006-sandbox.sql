-- What a tenant has switched in its staging service (assumptions: A bare vendor), and the faults of doors that no wall opens.
CREATE TABLE sandbox_switches (
  tenant_id bigint PRIMARY KEY REFERENCES tenants,
  switches jsonb NOT NULL
);
CREATE TABLE simulated_doors (
  locker_id bigint PRIMARY KEY REFERENCES lockers ON DELETE CASCADE,
  fault text CHECK (fault IN ('stuck', 'offline'))
);

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
