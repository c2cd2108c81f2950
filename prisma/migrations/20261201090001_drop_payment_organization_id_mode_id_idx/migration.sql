DROP INDEX CONCURRENTLY IF EXISTS "payment_organization_id_mode_id_idx";
