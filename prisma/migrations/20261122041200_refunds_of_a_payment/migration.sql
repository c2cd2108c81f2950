CREATE INDEX CONCURRENTLY IF NOT EXISTS "refund_payment_id_id_idx" ON "refund"("payment_id", "id");
