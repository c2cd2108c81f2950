-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "api_key_id" UUID,
ADD COLUMN     "hash" TEXT,
ADD COLUMN     "sequence" BIGINT;

-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "api_key_id" UUID,
ADD COLUMN     "user_id" UUID;

-- CreateTable
CREATE TABLE "audit_head" (
    "organization_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE INDEX "audit_entry_sign_ins_idx" ON "audit_entry"("organization_id", "id") WHERE (action = ANY (ARRAY['session.sign_in'::text, 'session.sign_in_failed'::text]));

-- CreateIndex
CREATE INDEX "audit_entry_views_idx" ON "audit_entry"("organization_id", "id") WHERE (action = ANY (ARRAY['payer.view'::text, 'payment.export'::text]));

-- CreateIndex
CREATE INDEX "audit_entry_changes_idx" ON "audit_entry"("organization_id", "id") WHERE (action <> ALL (ARRAY['session.sign_in'::text, 'session.sign_in_failed'::text, 'payer.view'::text, 'payment.export'::text]));

-- CreateIndex
CREATE INDEX "audit_entry_unchained_idx" ON "audit_entry"("id") WHERE (sequence IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_organization_id_sequence_key" ON "audit_entry"("organization_id", "sequence");
