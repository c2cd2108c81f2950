-- Workers store all terms again: payments have what they are made of.
DROP TABLE "payment_term";

CREATE TABLE "payment_term" (
    "tenant" BIGINT NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "payment_id" UUID NOT NULL,

    CONSTRAINT "payment_term_pkey" PRIMARY KEY ("tenant","term","payment_id")
);

UPDATE "payment_term_progress" SET "next_id" = NULL, "settled_id" = NULL, "backfill_id" = NULL;
