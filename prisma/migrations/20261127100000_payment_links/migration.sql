CREATE TABLE "payment_link" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "amount_in_cents" BIGINT,
    "minimum_in_cents" BIGINT,
    "maximum_in_cents" BIGINT,
    "description" TEXT,
    "single_use" BOOLEAN NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "return_url" TEXT,
    "credential_id" TEXT,
    "rule_set_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deactivated_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_link_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "payment_link_organization_id_mode_id_idx" ON "payment_link"("organization_id", "mode", "id");

CREATE TABLE "payment_link_payment" (
    "link_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,

    CONSTRAINT "payment_link_payment_pkey" PRIMARY KEY ("link_id","payment_id")
);
