-- Whether a service in production has served from this database: then none in staging does, since it would make API
-- clients with publicly known secrets.
CREATE TABLE production_use (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  since timestamptz NOT NULL DEFAULT now()
);
