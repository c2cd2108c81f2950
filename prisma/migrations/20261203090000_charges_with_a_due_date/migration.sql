-- A node of an earlier release leaves what it does not know as it is.
ALTER TABLE "payment" ADD COLUMN "due" JSON,
ADD COLUMN "due_date" DATE,
ADD COLUMN "overdue" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "revising" JSON,
ADD COLUMN "paid_in_cents" BIGINT,
ADD COLUMN "paid_parts" JSON,
ADD COLUMN "amount_differs" BOOLEAN NOT NULL DEFAULT false,
DROP CONSTRAINT IF EXISTS "payment_no_more_leaves_than_came",
ADD CONSTRAINT "payment_no_more_leaves_than_came" CHECK (
    "reversed_in_cents" <= "refunded_in_cents" AND "refunded_in_cents" <= coalesce("paid_in_cents", "amount_in_cents")
) NOT VALID;
