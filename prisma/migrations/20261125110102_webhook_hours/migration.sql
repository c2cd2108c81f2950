CREATE TABLE "webhook_hour" (
    "endpoint_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "succeeded" BOOLEAN NOT NULL,
    "latency_step" SMALLINT NOT NULL,
    "attempts" INTEGER NOT NULL,

    CONSTRAINT "webhook_hour_pkey" PRIMARY KEY ("endpoint_id","hour","succeeded","latency_step")
);

CREATE INDEX "webhook_hour_hour_idx" ON "webhook_hour"("hour");
