CREATE UNIQUE INDEX CONCURRENTLY "event_payment_id_type_refund_id_key" ON "event"("payment_id", "type", "refund_id");
