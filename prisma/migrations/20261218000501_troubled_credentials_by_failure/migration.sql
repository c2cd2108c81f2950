CREATE INDEX CONCURRENTLY IF NOT EXISTS "credential_health_failed_at_idx" ON "credential_health"("failed_at");
