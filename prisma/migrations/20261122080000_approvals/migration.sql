-- CreateEnum
CREATE TYPE "ApprovalStatus" AS ENUM ('pending', 'approved', 'rejected', 'withdrawn', 'expired', 'failed');

-- CreateTable
CREATE TABLE "organization_settings" (
    "organization_id" UUID NOT NULL,
    "changes_need_approval" BOOLEAN NOT NULL DEFAULT false,
    "refund_approval_above_in_cents" BIGINT,
    "refund_limits_in_cents" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "organization_settings_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "approval_request" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT,
    "before" JSONB,
    "after" JSONB NOT NULL,
    "sealed_change" TEXT,
    "status" "ApprovalStatus" NOT NULL DEFAULT 'pending',
    "requester" TEXT NOT NULL,
    "requester_user_id" UUID,
    "requester_key_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decider" TEXT,
    "decider_user_id" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "reason" TEXT,

    CONSTRAINT "approval_request_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "approval_request_organization_id_id_idx" ON "approval_request"("organization_id", "id");

-- CreateIndex
CREATE INDEX "approval_request_pending_idx" ON "approval_request"("organization_id", "id") WHERE (status = 'pending');

-- CreateIndex
CREATE INDEX "approval_request_expiry_idx" ON "approval_request"("expires_at") WHERE (status = 'pending');

-- AddForeignKey
ALTER TABLE "organization_settings" ADD CONSTRAINT "organization_settings_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval_request" ADD CONSTRAINT "approval_request_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
