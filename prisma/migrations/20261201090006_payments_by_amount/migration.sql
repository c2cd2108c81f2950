CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_amount_idx" ON "payment"("organization_id", "mode", "amount_in_cents", "id") WHERE (status <> 'creating'::"PaymentStatus");
