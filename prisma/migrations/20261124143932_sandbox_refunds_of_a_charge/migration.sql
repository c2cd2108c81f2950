CREATE INDEX CONCURRENTLY IF NOT EXISTS "sandbox_refund_transaction_id_idx" ON "sandbox_refund"("transaction_id");
