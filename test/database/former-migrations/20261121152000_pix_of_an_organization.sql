-- AlterTable
ALTER TABLE "received_pix" ADD COLUMN     "organization_id" UUID;

UPDATE "received_pix" SET "organization_id" = p."organization_id"
FROM "payment" p WHERE p."id" = "payment_id";

ALTER TABLE "received_pix" ALTER COLUMN "organization_id" SET NOT NULL,
DROP CONSTRAINT "received_pix_pkey",
ADD CONSTRAINT "received_pix_pkey" PRIMARY KEY ("organization_id", "end_to_end_id");

-- At these providers the charge stands for its Pix from now on, so that a Pix received before is not taken for
-- a second one when it is told again. Where there are several, the first is the charge's.
UPDATE "received_pix" r SET "end_to_end_id" = upper(a."provider") || replace(a."id"::text, '-', '')
FROM "payment_attempt" a, "payment" p
WHERE a."id" = r."attempt_id" AND p."id" = r."payment_id" AND p."mode" = 'live' AND a."provider" IN ('woovi', 'pagarme')
  AND r."end_to_end_id" = (
    SELECT s."end_to_end_id" FROM "received_pix" s WHERE s."payment_id" = r."payment_id" AND s."attempt_id" = r."attempt_id"
    ORDER BY s."created_at", s."end_to_end_id" LIMIT 1);
