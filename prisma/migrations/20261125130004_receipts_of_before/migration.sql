-- A worker goes back from here, hour by hour. Until it has passed an hour, its changes are not counted but dropped.
INSERT INTO "receipt_backfill" ("organization_id", "before")
SELECT id, date_trunc('hour', now(), 'UTC') + INTERVAL '2 days' FROM "organization" ON CONFLICT DO NOTHING;
