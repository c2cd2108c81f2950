CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_attempt_due_idx" ON "payment_attempt"("credential_id", "next_check_at") WHERE (outcome = 'unknown'::"AttemptOutcome");
