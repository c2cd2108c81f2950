-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "sent_at" TIMESTAMPTZ(3);

-- Nothing was sent later than the next check was planned.
UPDATE "refund" SET "sent_at" = COALESCE("next_check_at", "created_at");

-- AlterTable
ALTER TABLE "refund" ALTER COLUMN "sent_at" SET NOT NULL;
