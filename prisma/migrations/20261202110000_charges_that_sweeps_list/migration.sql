-- What sweeps find, each looked up by itself: a charge whose lookup fails holds up neither the list nor the others.
CREATE TABLE "listed_charge" (
    "id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "pix_reference" TEXT,
    "listed_at" TIMESTAMPTZ(3) NOT NULL,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "listed_charge_pkey" PRIMARY KEY ("id")
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);

CREATE INDEX "listed_charge_credential_id_next_check_at_idx" ON "listed_charge"("credential_id", "next_check_at");
