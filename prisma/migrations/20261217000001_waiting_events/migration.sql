CREATE TABLE "waiting_event" (
    "position" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "type" "EventType" NOT NULL,
    "payment_id" UUID NOT NULL,
    "refund_id" UUID NOT NULL,
    "head" TEXT NOT NULL,
    "tail" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "traceparent" TEXT,

    CONSTRAINT "waiting_event_pkey" PRIMARY KEY ("position")
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);

CREATE UNIQUE INDEX "waiting_event_payment_id_type_refund_id_key" ON "waiting_event"("payment_id", "type", "refund_id");
