ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'ops_alert_opened';
ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'ops_alert_closed';

CREATE TABLE "operations_event_counter" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "last_sequence" BIGINT NOT NULL,

    CONSTRAINT "operations_event_counter_pkey" PRIMARY KEY ("organization_id", "mode")
);
