CREATE INDEX CONCURRENTLY IF NOT EXISTS "credential_certificate_expiry_idx" ON "credential" ("certificate_expires_at") WHERE enabled AND certificate_expires_at IS NOT NULL;
