ALTER TABLE "payment_batch" ALTER COLUMN "api_key_id" DROP NOT NULL,
    -- The person who asked for it, where no key did.
    ADD COLUMN "user_id" UUID,
    -- How far the due dates of instalments are apart. Null where each payment was given.
    ADD COLUMN "every" TEXT;

CREATE INDEX "payment_batch_item_payment_id_idx" ON "payment_batch_item"("payment_id") WHERE (payment_id IS NOT NULL);
