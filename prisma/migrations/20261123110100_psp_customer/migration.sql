CREATE TABLE "psp_customer" (
    "credential_id" UUID NOT NULL,
    "payer_digest" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "psp_customer_pkey" PRIMARY KEY ("credential_id","payer_digest")
);
