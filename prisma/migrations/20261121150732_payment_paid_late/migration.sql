CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_paid_late_idx" ON "payment"("organization_id", "mode", "id") WHERE (paid_late AND refunded_in_cents = 0);
