CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_disputed_idx" ON "payment"("organization_id", "mode", "id") WHERE disputed;
