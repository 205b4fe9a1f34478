-- What a tenant has switched in its staging service (assumptions: A bare vendor), and the doors of the simulated wall.
CREATE TABLE sandbox_switches (
  tenant_id bigint PRIMARY KEY REFERENCES tenants,
  switches jsonb NOT NULL
);
CREATE TABLE simulated_doors (
  locker_id bigint PRIMARY KEY REFERENCES lockers ON DELETE CASCADE,
  fault text CHECK (fault IN ('stuck', 'offline')),
  opened_at timestamptz,
  openings integer NOT NULL DEFAULT 0
);
