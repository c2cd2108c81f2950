CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_created_idx" ON "payment"("organization_id", "mode", "id") WHERE (status <> 'creating'::"PaymentStatus");
