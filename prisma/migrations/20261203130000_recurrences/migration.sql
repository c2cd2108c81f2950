CREATE TYPE "RecurrenceStatus" AS ENUM ('creating', 'pending', 'active', 'rejected', 'expired', 'cancelled', 'failed');

CREATE TABLE "recurrence" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "api_key_id" UUID,
    "status" "RecurrenceStatus" NOT NULL,
    "status_reason" TEXT,
    "ended_by" TEXT,
    "provider" TEXT NOT NULL,
    "credential_id" UUID,
    "reference" TEXT,
    "amount_in_cents" BIGINT,
    "minimum_amount_in_cents" BIGINT,
    "frequency" TEXT NOT NULL,
    "start_date" TEXT NOT NULL,
    "end_date" TEXT,
    "retries" TEXT NOT NULL,
    "authorization" TEXT NOT NULL,
    "schedule" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "description" TEXT,
    "external_id" TEXT,
    "payer_name" TEXT NOT NULL,
    "payer_document" TEXT NOT NULL,
    "pix_copy_paste" TEXT,
    "first_payment_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "activated_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "next_debit_on" TEXT,
    "traceparent" TEXT,
    "next_check_at" TIMESTAMPTZ(3),
    CONSTRAINT "recurrence_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "recurrence_created_idx" ON "recurrence"("organization_id", "mode", "id") WHERE (status <> ALL (ARRAY['creating'::"RecurrenceStatus", 'failed'::"RecurrenceStatus"]));

CREATE INDEX "recurrence_active_idx" ON "recurrence"("credential_id") WHERE (status = ANY (ARRAY['creating'::"RecurrenceStatus", 'pending'::"RecurrenceStatus", 'active'::"RecurrenceStatus"]));

CREATE INDEX "recurrence_reference_idx" ON "recurrence"("credential_id", "reference") WHERE (reference IS NOT NULL);

CREATE INDEX "recurrence_due_idx" ON "recurrence"("credential_id", "next_check_at") WHERE (next_check_at IS NOT NULL);

CREATE INDEX "recurrence_organization_id_payer_document_idx" ON "recurrence"("organization_id", "payer_document");

-- A node of an earlier release leaves what it does not know as it is.
ALTER TABLE "payment" ADD COLUMN "recurrence_id" UUID,
ADD COLUMN "debit" JSON,
ADD COLUMN "debit_cycle" TEXT;
