-- What 1.1.0 added. A database that has it from the migrations of 1.1.0 skips this file.

CREATE TABLE "forgotten_person" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "pseudonym" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "user_id" UUID,
    "sealed_person" TEXT,
    "cursor" TEXT,
    "next_check_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "counts" JSONB NOT NULL DEFAULT '{}',
    "customers" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "forgotten_person_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "forgotten_person_organization_id_id_idx" ON "forgotten_person"("organization_id", "id");

CREATE INDEX "forgotten_person_due_idx" ON "forgotten_person"("next_check_at") WHERE (next_check_at IS NOT NULL);

CREATE INDEX "idempotency_key_subject_id_idx" ON "idempotency_key"("subject_id");

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

CREATE TABLE "alert" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "condition" JSONB NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "clear_since" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "alert_open_idx" ON "alert"("organization_id", "mode", "kind", "subject_id") WHERE (closed_at IS NULL);

CREATE INDEX "alert_organization_id_mode_id_idx" ON "alert"("organization_id", "mode", "id");

CREATE TABLE "organization_profile" (
    "organization_id" UUID NOT NULL,
    "brand_color" TEXT,
    "time_zone" TEXT,
    "logo_id" UUID,
    "logo_type" TEXT,
    "logo" BYTEA,

    CONSTRAINT "organization_profile_pkey" PRIMARY KEY ("organization_id")
);

CREATE UNIQUE INDEX "organization_profile_logo_id_key" ON "organization_profile"("logo_id");

ALTER TABLE "organization_profile" ADD CONSTRAINT "organization_profile_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "payment_term_progress" (
    "id" INTEGER NOT NULL,
    "next_id" UUID,
    "settled_id" UUID,
    "backfill_id" UUID,

    CONSTRAINT "payment_term_progress_pkey" PRIMARY KEY ("id")
);

INSERT INTO "payment_term_progress" ("id") VALUES (1);

ALTER TABLE "credential" ADD COLUMN "archived_at" TIMESTAMPTZ(3),
ADD COLUMN "deleted_at" TIMESTAMPTZ(3);

ALTER TABLE "refund" ADD COLUMN "reason" TEXT;

ALTER TABLE "webhook_attempt" ADD COLUMN "response_headers" JSONB;

CREATE INDEX "credential_deleted_idx" ON "credential"("deleted_at") WHERE (deleted_at IS NOT NULL);

ALTER TABLE "webhook_endpoint" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);

CREATE INDEX "webhook_delivery_undelivered_idx" ON "webhook_delivery" ("endpoint_id", "event_id") WHERE (attempt_count > 0) AND (status <> 'delivered'::"WebhookDeliveryStatus");

CREATE TABLE "webhook_hour" (
    "endpoint_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "succeeded" BOOLEAN NOT NULL,
    "latency_step" SMALLINT NOT NULL,
    "attempts" INTEGER NOT NULL,

    CONSTRAINT "webhook_hour_pkey" PRIMARY KEY ("endpoint_id","hour","succeeded","latency_step")
);

CREATE INDEX "webhook_hour_hour_idx" ON "webhook_hour"("hour");

CREATE INDEX "webhook_endpoint_deleted_idx" ON "webhook_endpoint"("id") WHERE (deleted_at IS NOT NULL);

CREATE TABLE "credential_check" (
    "credential_id" UUID NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "stages" JSONB NOT NULL,

    CONSTRAINT "credential_check_pkey" PRIMARY KEY ("credential_id")
);

CREATE TABLE "database_copy" (
    "id" UUID NOT NULL,
    "identity" TEXT NOT NULL,
    "noticed_at" TIMESTAMPTZ(3) NOT NULL,
    "lost_since" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),

    CONSTRAINT "database_copy_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "organization" ADD COLUMN "default_live_rule_set_id" UUID,
ADD COLUMN "default_test_rule_set_id" UUID;

ALTER TABLE "event_counter" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 1;

ALTER TYPE "EventType" ADD VALUE 'ops_alert_opened';
ALTER TYPE "EventType" ADD VALUE 'ops_alert_closed';

CREATE TABLE "operations_event_counter" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "last_sequence" BIGINT NOT NULL,

    CONSTRAINT "operations_event_counter_pkey" PRIMARY KEY ("organization_id", "mode")
);

CREATE TABLE "receipt_hour" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "credential_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "pix_count" INTEGER NOT NULL,
    "received_in_cents" BIGINT NOT NULL,
    "returned_in_cents" BIGINT NOT NULL,
    "reversed_in_cents" BIGINT NOT NULL,

    CONSTRAINT "receipt_hour_pkey" PRIMARY KEY ("organization_id","mode","hour","credential_id","provider")
);

CREATE TABLE "receipt_change" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "credential_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "pix_count" INTEGER NOT NULL,
    "received_in_cents" BIGINT NOT NULL,
    "returned_in_cents" BIGINT NOT NULL,
    "reversed_in_cents" BIGINT NOT NULL,

    CONSTRAINT "receipt_change_pkey" PRIMARY KEY ("organization_id","mode","hour","id")
);

CREATE TABLE "receipt_backfill" (
    "organization_id" UUID NOT NULL,
    "before" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receipt_backfill_pkey" PRIMARY KEY ("organization_id")
);

CREATE FUNCTION "note_receipt_change"("of_organization" UUID, "of_pix" TEXT, "count" INTEGER, "received" BIGINT,
    "returned" BIGINT, "reversed" BIGINT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO receipt_change (organization_id, mode, hour, credential_id, provider, pix_count, received_in_cents,
        returned_in_cents, reversed_in_cents)
    SELECT x.organization_id, p.mode, date_trunc('hour', x.paid_at, 'UTC'),
        coalesce(a.credential_id, '00000000-0000-0000-0000-000000000000'), a.provider, count, received, returned, reversed
    FROM received_pix x
    JOIN payment p ON p.id = x.payment_id
    JOIN payment_attempt a ON a.id = x.attempt_id
    WHERE x.organization_id = of_organization AND x.end_to_end_id = of_pix
$$;

CREATE FUNCTION "note_receipt"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM note_receipt_change(NEW.organization_id, NEW.end_to_end_id, 1, NEW.amount_in_cents, NEW.returned_in_cents, 0);
    ELSE
        PERFORM note_receipt_change(NEW.organization_id, NEW.end_to_end_id, 0, 0,
            NEW.returned_in_cents - OLD.returned_in_cents, 0);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION "note_refund_of_receipt"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_receipt_change((SELECT organization_id FROM payment WHERE id = NEW.payment_id), NEW.end_to_end_id, 0, 0,
        CASE WHEN NEW.status = 'completed' THEN NEW.amount_in_cents ELSE -NEW.amount_in_cents END, 0);
    RETURN NULL;
END $$;

CREATE FUNCTION "note_reversal_of_receipt"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    difference BIGINT := CASE WHEN NEW.status = 'completed' AND NEW.reason <> 'returned_at_psp'
        THEN NEW.amount_in_cents ELSE 0 END;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.status = 'completed' AND OLD.reason <> 'returned_at_psp' THEN
        difference := difference - OLD.amount_in_cents;
    END IF;
    IF difference <> 0 THEN
        PERFORM note_receipt_change(NEW.organization_id, NEW.end_to_end_id, 0, 0, 0, difference);
    END IF;
    RETURN NULL;
END $$;

CREATE TABLE "alert_preference" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kinds" TEXT[],
    "language" TEXT NOT NULL,

    CONSTRAINT "alert_preference_pkey" PRIMARY KEY ("organization_id", "user_id")
);

CREATE TABLE "alert_email" (
    "alert_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "is_closed" BOOLEAN NOT NULL,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "holder" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_email_pkey" PRIMARY KEY ("alert_id", "user_id", "is_closed")
);

CREATE INDEX "alert_email_due_idx" ON "alert_email"("next_attempt_at") WHERE (next_attempt_at IS NOT NULL);

-- Triggers, so that whatever records money is counted: an older node beside this one too.
CREATE TRIGGER "receipt_insert" AFTER INSERT ON "received_pix" FOR EACH ROW EXECUTE FUNCTION "note_receipt"();

CREATE TRIGGER "receipt_update" AFTER UPDATE OF "returned_in_cents" ON "received_pix" FOR EACH ROW
WHEN (OLD.returned_in_cents <> NEW.returned_in_cents)
EXECUTE FUNCTION "note_receipt"();

CREATE TRIGGER "receipt_refund" AFTER UPDATE OF "status" ON "refund" FOR EACH ROW
WHEN ((OLD.status = 'completed') <> (NEW.status = 'completed'))
EXECUTE FUNCTION "note_refund_of_receipt"();

CREATE TRIGGER "receipt_refund_insert" AFTER INSERT ON "refund" FOR EACH ROW WHEN (NEW.status = 'completed')
EXECUTE FUNCTION "note_refund_of_receipt"();

CREATE TRIGGER "receipt_reversal" AFTER INSERT OR UPDATE ON "reversal" FOR EACH ROW
EXECUTE FUNCTION "note_reversal_of_receipt"();

CREATE TABLE "link_email" (
    "id" UUID NOT NULL,
    "sealed_message" TEXT NOT NULL,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "holder" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "link_email_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "link_email_next_attempt_at_idx" ON "link_email"("next_attempt_at");

CREATE INDEX "payment_paid_idx" ON "payment"("organization_id", "mode", "confirmed_at", "id") WHERE (confirmed_at IS NOT NULL);

CREATE TABLE "saved_view" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("organization_id","user_id","name")
);

ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "member"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "approval_request" ADD COLUMN "failure" JSONB;

ALTER TABLE "payment" ADD COLUMN "return_url" TEXT;

CREATE TABLE "checkout_key" (
    "id" UUID NOT NULL,
    "sealed_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "checkout_key_pkey" PRIMARY KEY ("id")
);

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

CREATE INDEX "audit_entry_organization_id_action_id_idx" ON "audit_entry"("organization_id", "action", "id");

CREATE INDEX "audit_entry_subject_idx" ON "audit_entry"("organization_id", "subject", "id") WHERE (subject IS NOT NULL);

CREATE INDEX "audit_entry_user_idx" ON "audit_entry"("organization_id", "user_id", "id") WHERE (user_id IS NOT NULL);

CREATE INDEX "audit_entry_api_key_idx" ON "audit_entry"("organization_id", "api_key_id", "id") WHERE (api_key_id IS NOT NULL);

CREATE INDEX "audit_entry_nobody_idx" ON "audit_entry"("organization_id", "actor", "id") WHERE ((user_id IS NULL) AND (api_key_id IS NULL));

-- Without a list of pending entries, which every search would read too.
CREATE INDEX "audit_entry_views_of_several_idx" ON "audit_entry" USING GIN ("details" jsonb_path_ops) WITH (fastupdate = off) WHERE ((action = 'payer.view'::text) AND (subject IS NULL));

CREATE TABLE "payment_day" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "is_copied" BOOLEAN NOT NULL DEFAULT false,
    "hours" SMALLINT[],
    "created" INTEGER[],
    "failed" INTEGER[],
    "completed" INTEGER[],
    "volume_in_cents" BIGINT[],
    "refunded_in_cents" BIGINT[],
    "reversed_in_cents" BIGINT[],
    "pay_ends" INTEGER[],
    "pay_steps" SMALLINT[],
    "pay_counts" INTEGER[],

    CONSTRAINT "payment_day_pkey" PRIMARY KEY ("organization_id","mode","day")
);

-- A row is a page at most: parts that are stored apart would each be looked up.
ALTER TABLE "payment_day" SET (toast_tuple_target = 8160);

CREATE INDEX "payment_day_uncopied_idx" ON "payment_day"("day") WHERE NOT is_copied;

-- Locks the row even if it changes nothing, so that no hour changes while its day is copied.
CREATE FUNCTION "note_payment_day"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO payment_day (organization_id, mode, day)
    VALUES (NEW.organization_id, NEW.mode, date_trunc('day', NEW.hour, 'UTC'))
    ON CONFLICT (organization_id, mode, day) DO UPDATE SET is_copied = false WHERE payment_day.is_copied;
    RETURN NULL;
END $$;

-- A trigger, so that what an older node adds counts too.
CREATE TRIGGER "payment_day" AFTER INSERT OR UPDATE ON "payment_hour" FOR EACH ROW EXECUTE FUNCTION "note_payment_day"();

CREATE TABLE "receipt_day" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "is_copied" BOOLEAN NOT NULL DEFAULT false,
    "hours" SMALLINT[],
    "credential_id" UUID[],
    "provider" TEXT[],
    "pix_count" INTEGER[],
    "received_in_cents" BIGINT[],
    "returned_in_cents" BIGINT[],
    "reversed_in_cents" BIGINT[],

    CONSTRAINT "receipt_day_pkey" PRIMARY KEY ("organization_id","mode","day")
);

ALTER TABLE "receipt_day" SET (toast_tuple_target = 8160);

CREATE INDEX "receipt_day_uncopied_idx" ON "receipt_day"("day") WHERE NOT is_copied;

CREATE FUNCTION "note_receipt_day"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO receipt_day (organization_id, mode, day)
    VALUES (NEW.organization_id, NEW.mode, date_trunc('day', NEW.hour, 'UTC'))
    ON CONFLICT (organization_id, mode, day) DO UPDATE SET is_copied = false WHERE receipt_day.is_copied;
    RETURN NULL;
END $$;

CREATE TRIGGER "receipt_day" AFTER INSERT OR UPDATE ON "receipt_hour" FOR EACH ROW EXECUTE FUNCTION "note_receipt_day"();

-- By time alone. An expression, so that the planner uses it for nothing else: waiting rows are few whenever it counts them, and
-- to it indexes of few rows are all alike.
CREATE INDEX "webhook_delivery_due_idx" ON "webhook_delivery" ((coalesce("next_attempt_at", 'infinity')))
  WHERE (coalesce("next_attempt_at", 'infinity') < 'infinity');

-- When a pending payment is looked up again: each look wrote the payment's wide row and all its index entries twice.
CREATE TABLE "payment_check" (
    "payment_id" UUID NOT NULL,
    "credential_id" UUID,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_check_pkey" PRIMARY KEY ("payment_id")
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);

CREATE INDEX "payment_check_credential_id_next_check_at_idx" ON "payment_check"("credential_id", "next_check_at");

-- An import that begins late, as after an outage, waits for look-ups as long as any other.
ALTER TABLE "statement_day" ADD COLUMN "waiting_since" TIMESTAMPTZ(3);

CREATE TABLE "payment_term" (
    "tenant" BIGINT NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "payment_id" UUID NOT NULL,

    CONSTRAINT "payment_term_pkey" PRIMARY KEY ("tenant","term","payment_id")
);

CREATE INDEX "payment_attempt_charged_idx" ON "payment_attempt"("credential_id") WHERE ((credential_id IS NOT NULL) AND (outcome <> ALL (ARRAY['planned'::"AttemptOutcome", 'open'::"AttemptOutcome", 'skipped'::"AttemptOutcome"])));

CREATE INDEX "payment_attempt_referenced_idx" ON "payment_attempt"("psp_reference") WHERE (psp_reference IS NOT NULL);

CREATE INDEX "psp_notification_of_credential_idx" ON "psp_notification"("credential_id", "id") WHERE (credential_id IS NOT NULL);

CREATE INDEX "payment_unpaid_idx" ON "payment"("credential_id", "created_at") WHERE ((status = 'pending'::"PaymentStatus") AND (credential_id IS NOT NULL));

CREATE INDEX "payment_ended_due_idx" ON "payment"("credential_id", "next_check_at") WHERE ((status = ANY (ARRAY['expired'::"PaymentStatus", 'cancelled'::"PaymentStatus"])) AND (next_check_at IS NOT NULL));
