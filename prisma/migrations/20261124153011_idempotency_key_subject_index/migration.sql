CREATE INDEX CONCURRENTLY IF NOT EXISTS "idempotency_key_subject_id_idx" ON "idempotency_key"("subject_id");
