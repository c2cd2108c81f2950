DROP INDEX CONCURRENTLY IF EXISTS "refund_payment_id_idx";
