CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_attempt_referenced_idx" ON "payment_attempt"("psp_reference") WHERE (psp_reference IS NOT NULL);
