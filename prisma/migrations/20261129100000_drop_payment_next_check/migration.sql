DROP INDEX CONCURRENTLY IF EXISTS "payment_next_check_at_idx";
