CREATE INDEX CONCURRENTLY IF NOT EXISTS "statement_entry_problem_idx" ON "statement_entry"("credential_id", "day") WHERE (problem IS NOT NULL);
