CREATE TYPE "Resolution" AS ENUM ('explained', 'assigned', 'given_back');

CREATE TABLE "book_settlement" (
    "credential_id" UUID NOT NULL,
    "kind" "DifferenceKind" NOT NULL,
    "reference" TEXT NOT NULL,
    "amount_in_cents" BIGINT,
    "own_amount_in_cents" BIGINT,
    "returned_in_cents" BIGINT,
    "resolution" "Resolution" NOT NULL,
    "reason" TEXT NOT NULL,
    "payment_id" UUID,
    "user_id" UUID,
    "settled_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "book_settlement_pkey" PRIMARY KEY ("credential_id","kind","reference")
);

CREATE INDEX "book_settlement_payment_id_idx" ON "book_settlement"("payment_id") WHERE (payment_id IS NOT NULL);

ALTER TABLE "book_difference" ADD COLUMN "id" UUID NOT NULL DEFAULT gen_random_uuid(),
ADD COLUMN "returned_in_cents" BIGINT,
ADD COLUMN "settled_at" TIMESTAMPTZ(3);

ALTER TABLE "statement_day" ADD COLUMN "settled_count" INTEGER NOT NULL DEFAULT 0;
