CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_overdue_idx" ON "payment"("organization_id", "mode", "id") WHERE (overdue AND (status = 'pending'::"PaymentStatus"));
