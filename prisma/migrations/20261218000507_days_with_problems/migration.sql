CREATE INDEX CONCURRENTLY IF NOT EXISTS "statement_day_problem_idx" ON "statement_day"("day") WHERE ((next_check_at IS NOT NULL) AND (problem IS NOT NULL));
