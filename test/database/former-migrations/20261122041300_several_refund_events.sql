-- DropIndex
DROP INDEX "event_payment_id_type_key";

-- DropIndex
DROP INDEX "refund_payment_id_idx";
