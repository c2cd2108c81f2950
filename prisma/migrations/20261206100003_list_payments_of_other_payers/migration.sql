CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_other_payer_idx" ON "payment"("organization_id", "mode", "id") WHERE (other_payer AND (refunded_in_cents = 0));
