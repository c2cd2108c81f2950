DROP INDEX CONCURRENTLY IF EXISTS "refund_next_check_at_idx";
