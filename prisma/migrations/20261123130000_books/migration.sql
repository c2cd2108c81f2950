CREATE TYPE "DifferenceKind" AS ENUM ('unmatched_pix', 'missing_pix', 'amount_differs', 'unknown_reversal', 'late', 'duplicate');

CREATE TABLE "statement_day" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "credential_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "imported_at" TIMESTAMPTZ(3),
    "round" INTEGER NOT NULL DEFAULT 0,
    "next_round" INTEGER NOT NULL DEFAULT 1,
    "cursor" TEXT,
    "is_listed" BOOLEAN NOT NULL DEFAULT false,
    "problem" TEXT,
    "pix_count" INTEGER NOT NULL DEFAULT 0,
    "received_in_cents" BIGINT NOT NULL DEFAULT 0,
    "returned_in_cents" BIGINT NOT NULL DEFAULT 0,
    "reversed_in_cents" BIGINT NOT NULL DEFAULT 0,
    "fee_in_cents" BIGINT,
    "own_pix_count" INTEGER NOT NULL DEFAULT 0,
    "own_received_in_cents" BIGINT NOT NULL DEFAULT 0,
    "own_returned_in_cents" BIGINT NOT NULL DEFAULT 0,
    "difference_count" INTEGER NOT NULL DEFAULT 0,
    "next_check_at" TIMESTAMPTZ(3),

    CONSTRAINT "statement_day_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "statement_entry" (
    "credential_id" UUID NOT NULL,
    "reference" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "round" INTEGER NOT NULL,
    "end_to_end_id" TEXT,
    "attempt_id" UUID,
    "charge_reference" TEXT,
    "amount_in_cents" BIGINT NOT NULL,
    "returned_in_cents" BIGINT,
    "reversed_in_cents" BIGINT,
    "fee_in_cents" BIGINT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "statement_entry_pkey" PRIMARY KEY ("credential_id","reference")
);

CREATE TABLE "book_difference" (
    "day_id" UUID NOT NULL,
    "kind" "DifferenceKind" NOT NULL,
    "reference" TEXT NOT NULL,
    "end_to_end_id" TEXT,
    "payment_id" UUID,
    "amount_in_cents" BIGINT,
    "own_amount_in_cents" BIGINT,
    "found_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "book_difference_pkey" PRIMARY KEY ("day_id","kind","reference")
);

CREATE UNIQUE INDEX "statement_day_credential_id_day_key" ON "statement_day"("credential_id", "day");

CREATE INDEX "statement_day_organization_id_day_idx" ON "statement_day"("organization_id", "day");

CREATE INDEX "statement_day_due_idx" ON "statement_day"("credential_id", "next_check_at") WHERE (next_check_at IS NOT NULL);

CREATE INDEX "statement_entry_credential_id_day_reference_idx" ON "statement_entry"("credential_id", "day", "reference");

ALTER TABLE "book_difference" ADD CONSTRAINT "book_difference_day_id_fkey" FOREIGN KEY ("day_id") REFERENCES "statement_day"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
