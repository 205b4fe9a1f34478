-- For clients that read only the body: every answer of an operation, a refusal too, comes with HTTP status 200.
ALTER TABLE tenants ADD COLUMN answers_on_200 boolean NOT NULL DEFAULT false;
