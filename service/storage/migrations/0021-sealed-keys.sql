-- Each key once more, encrypted for its own row: see service/encryption. The columns beside it are written too, for version
-- 0.2.0. Null: that version has stored the key.
ALTER TABLE signing_keys ADD COLUMN sealed_key text;
ALTER TABLE callback_keys ADD COLUMN sealed_key text;
