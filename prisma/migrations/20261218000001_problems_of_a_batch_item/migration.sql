ALTER TABLE "payment_batch_item" ADD COLUMN "problems" JSONB;
