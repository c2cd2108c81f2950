CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_duplicated_idx" ON "payment"("organization_id", "mode", "id") WHERE (duplicate_payment AND refunded_in_cents = 0);
