CREATE TABLE "payment_batch" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "api_key_id" UUID NOT NULL,
    "count" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    -- When a worker goes on with it; doubles as its lease. Null once every item has its outcome.
    "next_run_at" TIMESTAMPTZ(3),
    CONSTRAINT "payment_batch_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "payment_batch_item" (
    "batch_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    -- The body of the payment, until it has its outcome: it names the payer.
    "input" JSON,
    "payment_id" UUID,
    "error_code" TEXT,
    "error" TEXT,
    CONSTRAINT "payment_batch_item_pkey" PRIMARY KEY ("batch_id", "position")
);

CREATE INDEX "payment_batch_next_run_at_idx" ON "payment_batch"("next_run_at") WHERE (next_run_at IS NOT NULL);

CREATE INDEX "payment_batch_organization_id_mode_idx" ON "payment_batch"("organization_id", "mode") WHERE (next_run_at IS NOT NULL);

ALTER TABLE "payment_batch_item" ADD CONSTRAINT "payment_batch_item_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "payment_batch"("id") ON DELETE CASCADE ON UPDATE CASCADE;
