CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_due_date_idx" ON "payment"("organization_id", "mode", "due_date", "id") WHERE (due_date IS NOT NULL);
