CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_status_idx" ON "payment"("organization_id", "mode", "status", "id") WHERE (status <> 'creating'::"PaymentStatus");
