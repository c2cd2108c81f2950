-- CreateEnum
CREATE TYPE "ReversalReason" AS ENUM ('returned_at_psp', 'med_fraud', 'med_operational_failure', 'med_automatic_pix', 'chargeback');

-- CreateEnum
CREATE TYPE "ReversalStatus" AS ENUM ('pending', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "DisputeState" AS ENUM ('open', 'won', 'lost');

-- AlterEnum
ALTER TYPE "EventType" ADD VALUE 'payment_reversed';
ALTER TYPE "EventType" ADD VALUE 'payment_disputed';
ALTER TYPE "EventType" ADD VALUE 'payment_dispute_closed';

-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "disputed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "reversed_in_cents" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "reversal" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "payment_id" UUID NOT NULL,
    "end_to_end_id" TEXT NOT NULL,
    "psp_reference" TEXT NOT NULL,
    "reason" "ReversalReason" NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,
    "status" "ReversalStatus" NOT NULL,
    "reversed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reversal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dispute" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "payment_id" UUID NOT NULL,
    "psp_reference" TEXT NOT NULL,
    "state" "DisputeState" NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,
    "reason" TEXT,
    "defence_until" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_reversal" (
    "reference" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,
    "reason" "ReversalReason" NOT NULL,
    "reversed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_reversal_pkey" PRIMARY KEY ("reference")
);

-- CreateTable
CREATE TABLE "sandbox_dispute" (
    "reference" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,
    "state" "DisputeState" NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_dispute_pkey" PRIMARY KEY ("reference")
);

-- CreateIndex
CREATE INDEX "reversal_organization_id_mode_created_at_idx" ON "reversal"("organization_id", "mode", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "reversal_payment_id_end_to_end_id_psp_reference_key" ON "reversal"("payment_id", "end_to_end_id", "psp_reference");

-- CreateIndex
CREATE INDEX "dispute_organization_id_mode_created_at_idx" ON "dispute"("organization_id", "mode", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "dispute_payment_id_psp_reference_key" ON "dispute"("payment_id", "psp_reference");

-- CreateIndex
CREATE INDEX "sandbox_reversal_transaction_id_idx" ON "sandbox_reversal"("transaction_id");

-- CreateIndex
CREATE INDEX "sandbox_dispute_transaction_id_idx" ON "sandbox_dispute"("transaction_id");

-- AddForeignKey
ALTER TABLE "reversal" ADD CONSTRAINT "reversal_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
