DROP INDEX CONCURRENTLY IF EXISTS "payment_pending_debit_idx";
