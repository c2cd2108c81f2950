CREATE TABLE "test_clock" (
    "organization_id" UUID NOT NULL,
    "ahead_ms" BIGINT NOT NULL,
    CONSTRAINT "test_clock_pkey" PRIMARY KEY ("organization_id")
);
