-- The one by time and endpoint serves the statements of older nodes as well.
DROP INDEX CONCURRENTLY IF EXISTS "webhook_delivery_due_idx";
