CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_paid_idx" ON "payment"("organization_id", "mode", "confirmed_at", "id") WHERE (confirmed_at IS NOT NULL);
