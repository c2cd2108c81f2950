CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_return_due_idx" ON "payment"("return_due_at") WHERE (return_due_at IS NOT NULL);
