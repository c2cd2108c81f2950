CREATE TABLE "psp_call_sum" (
    "credential_id" UUID NOT NULL,
    "seconds" INTEGER NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "operation" TEXT NOT NULL,
    "done" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    "rejected" INTEGER NOT NULL,
    "rejected_payer" INTEGER NOT NULL,
    "rate_limited" INTEGER NOT NULL,
    "not_yet" INTEGER NOT NULL,
    "not_sent" INTEGER NOT NULL,
    "unknown" INTEGER NOT NULL,
    "latencies" INTEGER[],

    CONSTRAINT "psp_call_sum_pkey" PRIMARY KEY ("credential_id", "seconds", "starts_at", "operation")
);

CREATE INDEX "psp_call_sum_seconds_starts_at_idx" ON "psp_call_sum"("seconds", "starts_at");

CREATE TABLE "credential_health" (
    "credential_id" UUID NOT NULL,
    "succeeded_at" TIMESTAMPTZ(3),
    "answered_at" TIMESTAMPTZ(3),
    "outages" INTEGER NOT NULL DEFAULT 0,
    "outages_since" TIMESTAMPTZ(3),
    "last_outage_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "failed_operation" TEXT,
    "failed_outcome" TEXT,
    "failed_reason" TEXT,
    "failed_message" TEXT,
    "refused_at" TIMESTAMPTZ(3),
    "refused_reason" TEXT,
    "breaker_open_at" TIMESTAMPTZ(3),
    "requests_left" INTEGER,
    "requests_limit" INTEGER,
    "requests_at" TIMESTAMPTZ(3),

    CONSTRAINT "credential_health_pkey" PRIMARY KEY ("credential_id")
);

CREATE INDEX "credential_health_last_outage_at_idx" ON "credential_health"("last_outage_at");
