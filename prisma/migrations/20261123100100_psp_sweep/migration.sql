CREATE TABLE "psp_sweep" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "credential_id" UUID NOT NULL,
    "covered_until" TIMESTAMPTZ(3),
    "bookmark" TEXT,
    "since" TIMESTAMPTZ(3),
    "until" TIMESTAMPTZ(3),
    "cursor" TEXT,
    "next_bookmark" TEXT,
    "missed_at" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3),

    CONSTRAINT "psp_sweep_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "psp_sweep_credential_id_key" ON "psp_sweep"("credential_id");

CREATE INDEX "psp_sweep_due_idx" ON "psp_sweep"("credential_id", "next_check_at") WHERE (next_check_at IS NOT NULL);
