-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "refunded_in_cents" BIGINT NOT NULL DEFAULT 0;

-- What was refunded before the column
UPDATE "payment" SET "refunded_in_cents" = done."sum"
FROM (SELECT "payment_id", sum("amount_in_cents") FROM "refund" WHERE "status" = 'completed' GROUP BY "payment_id") done
WHERE "payment"."id" = done."payment_id";

-- CreateIndex
CREATE INDEX "payment_duplicated_idx" ON "payment"("organization_id", "mode", "id") WHERE (duplicate_payment AND refunded_in_cents = 0);

-- CreateIndex
CREATE INDEX "payment_paid_late_idx" ON "payment"("organization_id", "mode", "id") WHERE (paid_late AND refunded_in_cents = 0);
