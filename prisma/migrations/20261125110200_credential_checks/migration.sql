CREATE TABLE "credential_check" (
    "credential_id" UUID NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "stages" JSONB NOT NULL,

    CONSTRAINT "credential_check_pkey" PRIMARY KEY ("credential_id")
);
