CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_endpoint_deleted_idx" ON "webhook_endpoint"("id") WHERE (deleted_at IS NOT NULL);
