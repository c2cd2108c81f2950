-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "refund_limit_in_cents" BIGINT;

-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "approved_at" TIMESTAMPTZ(3),
ADD COLUMN     "awaiting_approval" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "counted_for" UUID,
ADD COLUMN     "counted_on" DATE;

-- CreateTable
CREATE TABLE "refund_day" (
    "organization_id" UUID NOT NULL,
    "holder_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,

    CONSTRAINT "refund_day_pkey" PRIMARY KEY ("organization_id","holder_id","day")
);
