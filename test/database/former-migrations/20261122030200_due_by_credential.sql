-- AlterTable
ALTER TABLE "psp_notification" ADD COLUMN     "again" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN     "remaining" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "credential_id" UUID;

-- Of those that a worker may still take up.
UPDATE "refund" SET "credential_id" = attempt."credential_id"
FROM "payment_attempt" attempt WHERE attempt."id" = "refund"."attempt_id" AND "refund"."status" = 'pending';
