CREATE INDEX CONCURRENTLY IF NOT EXISTS "credential_traffic_missing_idx" ON "credential_traffic"("missed_at") WHERE (missed_at > notified_at);
