DROP INDEX CONCURRENTLY IF EXISTS "payment_organization_id_mode_external_id_id_idx";
