DROP INDEX CONCURRENTLY IF EXISTS "payment_attempt_called_idx";
