CREATE INDEX CONCURRENTLY IF NOT EXISTS "credential_certificate_checked_idx" ON "credential" ("certificate_checked_at");
