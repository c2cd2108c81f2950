CREATE TABLE "payment_term" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "payment_id" UUID NOT NULL,

    CONSTRAINT "payment_term_pkey" PRIMARY KEY ("organization_id","mode","term","payment_id")
);

CREATE TABLE "payment_term_progress" (
    "id" INTEGER NOT NULL,
    "next_id" UUID,
    "settled_id" UUID,
    "backfill_id" UUID,

    CONSTRAINT "payment_term_progress_pkey" PRIMARY KEY ("id")
);

INSERT INTO "payment_term_progress" ("id") VALUES (1);
