CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_endpoint_troubled_idx" ON "webhook_endpoint"("organization_id", "mode") WHERE ((failing_since IS NOT NULL) OR (disabled_reason IS NOT NULL));
