CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_amount_differs_idx" ON "payment"("organization_id", "mode", "id") WHERE (amount_differs AND (refunded_in_cents = 0));
