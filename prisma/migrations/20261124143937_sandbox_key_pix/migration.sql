CREATE TABLE "sandbox_key_pix" (
    "end_to_end_id" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "amount_in_cents" BIGINT NOT NULL,
    "paid_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_key_pix_pkey" PRIMARY KEY ("end_to_end_id")
);

CREATE INDEX "sandbox_key_pix_organization_id_paid_at_end_to_end_id_idx" ON "sandbox_key_pix"("organization_id", "paid_at", "end_to_end_id");
