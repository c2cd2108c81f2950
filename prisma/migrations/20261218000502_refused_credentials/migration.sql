CREATE INDEX CONCURRENTLY IF NOT EXISTS "credential_health_refused_idx" ON "credential_health"("refused_at") WHERE (refused_at IS NOT NULL);
