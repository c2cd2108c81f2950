DROP INDEX CONCURRENTLY IF EXISTS "payment_attempt_next_check_at_idx";
