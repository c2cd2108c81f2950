-- When a pending payment is looked up again: each look wrote the payment's wide row and all its index entries twice.
CREATE TABLE "payment_check" (
    "payment_id" UUID NOT NULL,
    "credential_id" UUID,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_check_pkey" PRIMARY KEY ("payment_id")
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);

CREATE INDEX "payment_check_credential_id_next_check_at_idx" ON "payment_check"("credential_id", "next_check_at");
