-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Mode" AS ENUM ('test', 'live');

-- CreateEnum
CREATE TYPE "PaymentStatus" AS ENUM ('creating', 'pending', 'completed', 'expired', 'cancelled', 'refunded', 'failed');

-- CreateEnum
CREATE TYPE "AttemptOutcome" AS ENUM ('planned', 'open', 'created', 'rejected', 'not_sent', 'unknown', 'skipped', 'not_created', 'withdrawn');

-- CreateEnum
CREATE TYPE "RefundStatus" AS ENUM ('pending', 'completed', 'failed');

-- CreateTable
CREATE TABLE "organization" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "default_credential_id" UUID,

    CONSTRAINT "organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "permissions" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credential" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "needs_payer" TEXT[],
    "sealed_settings" TEXT NOT NULL,
    "notification_token_sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rule_set" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "default_credential_id" UUID,
    "fallback_credential_ids" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rule_set_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rule_set_range" (
    "rule_set_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "from_cents" BIGINT NOT NULL,
    "to_cents" BIGINT NOT NULL,
    "credential_id" UUID NOT NULL,

    CONSTRAINT "rule_set_range_pkey" PRIMARY KEY ("rule_set_id","position")
);

-- CreateTable
CREATE TABLE "payment" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "api_key_id" UUID NOT NULL,
    "status" "PaymentStatus" NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,
    "provider" TEXT NOT NULL,
    "credential_id" UUID,
    "attempt_id" UUID,
    "description" TEXT,
    "external_id" TEXT,
    "payer_name" TEXT,
    "payer_document" TEXT,
    "payer_email" TEXT,
    "payer_phone" TEXT,
    "metadata" JSON,
    "pix_copy_paste" TEXT,
    "pix_qr_code_base64" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "paid_late" BOOLEAN NOT NULL DEFAULT false,
    "duplicate_payment" BOOLEAN NOT NULL DEFAULT false,
    "next_check_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_attempt" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "credential_id" UUID,
    "reason" TEXT NOT NULL,
    "outcome" "AttemptOutcome" NOT NULL,
    "error" TEXT,
    "psp_reference" TEXT,
    "latency_ms" INTEGER,
    "next_check_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "received_pix" (
    "end_to_end_id" TEXT NOT NULL,
    "payment_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,
    "paid_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "received_pix_pkey" PRIMARY KEY ("end_to_end_id")
);

-- CreateTable
CREATE TABLE "psp_notification" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "credential_id" UUID,
    "body" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "processed_at" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3),

    CONSTRAINT "psp_notification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refund" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "end_to_end_id" TEXT NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,
    "status" "RefundStatus" NOT NULL,
    "psp_reference" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_check_at" TIMESTAMPTZ(3),

    CONSTRAINT "refund_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "holder" INTEGER NOT NULL,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "outcome" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("organization_id","mode","key")
);

-- CreateTable
CREATE TABLE "sandbox_charge" (
    "transaction_id" TEXT NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "cancelled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_charge_pkey" PRIMARY KEY ("transaction_id")
);

-- CreateTable
CREATE TABLE "sandbox_refund" (
    "refund_id" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,

    CONSTRAINT "sandbox_refund_pkey" PRIMARY KEY ("refund_id")
);

-- CreateTable
CREATE TABLE "sandbox_pix" (
    "end_to_end_id" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "paid_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_pix_pkey" PRIMARY KEY ("end_to_end_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "organization_default_credential_id_key" ON "organization"("default_credential_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_sha256_key" ON "api_key"("sha256");

-- CreateIndex
CREATE INDEX "api_key_organization_id_id_idx" ON "api_key"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "credential_notification_token_sha256_key" ON "credential"("notification_token_sha256");

-- CreateIndex
CREATE INDEX "credential_organization_id_id_idx" ON "credential"("organization_id", "id");

-- CreateIndex
CREATE INDEX "rule_set_organization_id_id_idx" ON "rule_set"("organization_id", "id");

-- CreateIndex
CREATE INDEX "payment_organization_id_mode_id_idx" ON "payment"("organization_id", "mode", "id");

-- CreateIndex
CREATE INDEX "payment_organization_id_mode_status_id_idx" ON "payment"("organization_id", "mode", "status", "id");

-- CreateIndex
CREATE INDEX "payment_organization_id_mode_external_id_id_idx" ON "payment"("organization_id", "mode", "external_id", "id");

-- CreateIndex
CREATE INDEX "payment_next_check_at_idx" ON "payment"("next_check_at");

-- CreateIndex
CREATE INDEX "payment_attempt_payment_id_position_idx" ON "payment_attempt"("payment_id", "position");

-- CreateIndex
CREATE INDEX "payment_attempt_psp_reference_idx" ON "payment_attempt"("psp_reference");

-- CreateIndex
CREATE INDEX "payment_attempt_next_check_at_idx" ON "payment_attempt"("next_check_at");

-- CreateIndex
CREATE INDEX "received_pix_payment_id_idx" ON "received_pix"("payment_id");

-- CreateIndex
CREATE INDEX "psp_notification_next_check_at_idx" ON "psp_notification"("next_check_at");

-- CreateIndex
CREATE INDEX "refund_payment_id_idx" ON "refund"("payment_id");

-- CreateIndex
CREATE INDEX "refund_next_check_at_idx" ON "refund"("next_check_at");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "sandbox_pix_transaction_id_idx" ON "sandbox_pix"("transaction_id");

-- AddForeignKey
ALTER TABLE "organization" ADD CONSTRAINT "organization_default_credential_id_fkey" FOREIGN KEY ("default_credential_id") REFERENCES "credential"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule_set" ADD CONSTRAINT "rule_set_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule_set_range" ADD CONSTRAINT "rule_set_range_rule_set_id_fkey" FOREIGN KEY ("rule_set_id") REFERENCES "rule_set"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule_set_range" ADD CONSTRAINT "rule_set_range_credential_id_fkey" FOREIGN KEY ("credential_id") REFERENCES "credential"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_attempt" ADD CONSTRAINT "payment_attempt_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "received_pix" ADD CONSTRAINT "received_pix_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_pix" ADD CONSTRAINT "sandbox_pix_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "sandbox_charge"("transaction_id") ON DELETE RESTRICT ON UPDATE CASCADE;
