DROP INDEX CONCURRENTLY IF EXISTS "payment_attempt_psp_reference_idx";
