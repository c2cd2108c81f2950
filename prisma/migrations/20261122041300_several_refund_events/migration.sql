-- Nodes of 0.9 name it nowhere, and write the events that the new index keeps single.
DROP INDEX CONCURRENTLY IF EXISTS "event_payment_id_type_key";
