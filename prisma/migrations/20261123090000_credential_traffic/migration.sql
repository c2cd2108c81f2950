CREATE TABLE "credential_traffic" (
  "credential_id" UUID NOT NULL,
  "paused_until" TIMESTAMPTZ(3),
  "notified_at" TIMESTAMPTZ(3),
  "missed_at" TIMESTAMPTZ(3),

  CONSTRAINT "credential_traffic_pkey" PRIMARY KEY ("credential_id")
);
