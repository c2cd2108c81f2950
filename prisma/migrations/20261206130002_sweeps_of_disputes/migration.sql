CREATE TABLE "dispute_sweep" (
    "credential_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),
    "cursor" TEXT,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_sweep_pkey" PRIMARY KEY ("credential_id")
);

CREATE INDEX "dispute_sweep_credential_id_next_check_at_idx" ON "dispute_sweep"("credential_id", "next_check_at");
