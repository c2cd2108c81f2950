ALTER TABLE "sandbox_charge" ADD COLUMN "debit" JSON;

CREATE TABLE "sandbox_recurrence" (
    "reference" TEXT NOT NULL,
    "first_transaction_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "approved_at" TIMESTAMPTZ(3),
    "end" JSON,
    CONSTRAINT "sandbox_recurrence_pkey" PRIMARY KEY ("reference")
);
