ALTER TABLE "audit_entry" ADD COLUMN "api_key_id" UUID,
ADD COLUMN "hash" TEXT,
ADD COLUMN "sequence" BIGINT;

CREATE TABLE "audit_head" (
    "organization_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("organization_id")
);
