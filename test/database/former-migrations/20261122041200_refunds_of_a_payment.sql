CREATE INDEX CONCURRENTLY "refund_payment_id_id_idx" ON "refund"("payment_id", "id");
