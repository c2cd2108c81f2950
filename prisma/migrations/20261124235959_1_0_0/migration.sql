-- What 1.0.0 had, without what served nodes of 0.9 alone. A database that has it from the migrations of 1.0.0 skips this file.

-- By default autovacuum waits until a fifth of a table is dead: two million rows of ten million payments, which every claim
-- of due rows walks past. So large tables have factors of their own. ANALYZE follows, so that plans know the newest rows.

CREATE TYPE "ApprovalStatus" AS ENUM (
    'pending',
    'approved',
    'rejected',
    'withdrawn',
    'expired',
    'failed'
);

CREATE TYPE "AttemptOutcome" AS ENUM (
    'planned',
    'open',
    'created',
    'rejected',
    'not_sent',
    'unknown',
    'skipped',
    'not_created',
    'withdrawn'
);

CREATE TYPE "DifferenceKind" AS ENUM (
    'unmatched_pix',
    'missing_pix',
    'amount_differs',
    'unknown_reversal',
    'late',
    'duplicate',
    'unreadable'
);

CREATE TYPE "DisputeState" AS ENUM (
    'open',
    'won',
    'lost'
);

CREATE TYPE "EventType" AS ENUM (
    'payment_completed',
    'payment_expired',
    'payment_cancelled',
    'payment_refunded',
    'payment_duplicated',
    'refund_completed',
    'refund_failed',
    'payment_reversed',
    'payment_disputed',
    'payment_dispute_closed'
);

CREATE TYPE "Mode" AS ENUM (
    'test',
    'live'
);

CREATE TYPE "PaymentStatus" AS ENUM (
    'creating',
    'pending',
    'completed',
    'expired',
    'cancelled',
    'refunded',
    'failed'
);

CREATE TYPE "RefundStatus" AS ENUM (
    'pending',
    'completed',
    'failed'
);

CREATE TYPE "Resolution" AS ENUM (
    'explained',
    'assigned',
    'given_back'
);

CREATE TYPE "ReversalReason" AS ENUM (
    'returned_at_psp',
    'med_fraud',
    'med_operational_failure',
    'med_automatic_pix',
    'chargeback'
);

CREATE TYPE "ReversalStatus" AS ENUM (
    'pending',
    'completed',
    'failed'
);

CREATE TYPE "Role" AS ENUM (
    'owner',
    'developer',
    'support',
    'viewer'
);

CREATE TYPE "WebhookDeliveryStatus" AS ENUM (
    'pending',
    'delivered',
    'exhausted'
);

-- A trigger, so that whatever changes a payment is counted: an older build beside this one too.
CREATE FUNCTION note_payment_hour_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    is_payable BOOLEAN;
    is_paid BOOLEAN;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.status <> 'creating' THEN
        is_payable := OLD.status <> 'failed';
        is_paid := is_payable AND OLD.confirmed_at IS NOT NULL;
        INSERT INTO payment_hour_change (minute, organization_id, mode, created, failed, completed, volume_in_cents,
            refunded_in_cents, reversed_in_cents, pay_step)
        VALUES (date_trunc('minute', OLD.created_at), OLD.organization_id, OLD.mode, -is_payable::int,
            -(NOT is_payable)::int, -is_paid::int, -is_paid::int * OLD.amount_in_cents,
            -is_payable::int * OLD.refunded_in_cents, -is_payable::int * OLD.reversed_in_cents,
            CASE WHEN is_paid THEN payment_pay_step(OLD.created_at, OLD.confirmed_at) END);
    END IF;
    IF NEW.status <> 'creating' THEN
        is_payable := NEW.status <> 'failed';
        is_paid := is_payable AND NEW.confirmed_at IS NOT NULL;
        INSERT INTO payment_hour_change (minute, organization_id, mode, created, failed, completed, volume_in_cents,
            refunded_in_cents, reversed_in_cents, pay_step)
        VALUES (date_trunc('minute', NEW.created_at), NEW.organization_id, NEW.mode, is_payable::int,
            (NOT is_payable)::int, is_paid::int, is_paid::int * NEW.amount_in_cents,
            is_payable::int * NEW.refunded_in_cents, is_payable::int * NEW.reversed_in_cents,
            CASE WHEN is_paid THEN payment_pay_step(NEW.created_at, NEW.confirmed_at) END);
    END IF;
    RETURN NULL;
END $$;

-- Eighths of an octave above one second, and 0 for whatever is shorter.
CREATE FUNCTION "payment_pay_step"("created_at" TIMESTAMPTZ, "confirmed_at" TIMESTAMPTZ) RETURNS INTEGER
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN floor(8 * ln(greatest(extract(epoch FROM "confirmed_at" - "created_at")::float8, 1)) / ln(2::float8))::int;

-- As of PostgreSQL 18, under a name of its own. Random ids touched a page of the index each.
CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

CREATE TABLE account (
    id uuid NOT NULL,
    account_id text NOT NULL,
    provider_id text NOT NULL,
    user_id uuid NOT NULL,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamp(3) with time zone,
    refresh_token_expires_at timestamp(3) with time zone,
    scope text,
    password text,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE api_key (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    mode "Mode" NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    prefix text NOT NULL,
    last_four text NOT NULL,
    permissions text[],
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    allowed_ips text[] DEFAULT ARRAY[]::text[],
    refund_limit_in_cents bigint
);

CREATE TABLE approval_request (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    action text NOT NULL,
    subject text,
    before jsonb,
    after jsonb NOT NULL,
    sealed_change text,
    status "ApprovalStatus" DEFAULT 'pending'::"ApprovalStatus" NOT NULL,
    requester text NOT NULL,
    requester_user_id uuid,
    requester_key_id uuid,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    decider text,
    decider_user_id uuid,
    decided_at timestamp(3) with time zone,
    reason text
);

CREATE TABLE audit_entry (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    actor text NOT NULL,
    user_id uuid,
    action text NOT NULL,
    subject text,
    details jsonb,
    created_at timestamp(3) with time zone NOT NULL,
    api_key_id uuid,
    hash text,
    sequence bigint
);

CREATE TABLE audit_head (
    organization_id uuid NOT NULL,
    sequence bigint NOT NULL,
    hash text NOT NULL
);

CREATE TABLE book_difference (
    day_id uuid NOT NULL,
    kind "DifferenceKind" NOT NULL,
    reference text NOT NULL,
    end_to_end_id text,
    payment_id uuid,
    amount_in_cents bigint,
    own_amount_in_cents bigint,
    found_at timestamp(3) with time zone NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    returned_in_cents bigint,
    settled_at timestamp(3) with time zone,
    detail text,
    mode "Mode" DEFAULT 'live'::"Mode" NOT NULL
);

CREATE TABLE book_settlement (
    credential_id uuid NOT NULL,
    kind "DifferenceKind" NOT NULL,
    reference text NOT NULL,
    amount_in_cents bigint,
    own_amount_in_cents bigint,
    returned_in_cents bigint,
    resolution "Resolution" NOT NULL,
    reason text NOT NULL,
    payment_id uuid,
    user_id uuid,
    settled_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE credential (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    provider text NOT NULL,
    name text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    needs_payer text[],
    sealed_settings text NOT NULL,
    notification_token_sha256 text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    certificate_checked_at timestamp(3) with time zone,
    certificate_expires_at timestamp(3) with time zone
);

CREATE TABLE credential_traffic (
    credential_id uuid NOT NULL,
    paused_until timestamp(3) with time zone,
    notified_at timestamp(3) with time zone,
    missed_at timestamp(3) with time zone
);

CREATE TABLE dispute (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    mode "Mode" NOT NULL,
    payment_id uuid NOT NULL,
    psp_reference text NOT NULL,
    state "DisputeState" NOT NULL,
    amount_in_cents bigint NOT NULL,
    reason text,
    defence_until timestamp(3) with time zone,
    opened_at timestamp(3) with time zone,
    closed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE encryption_canary (
    id integer DEFAULT 1 NOT NULL,
    sealed text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT encryption_canary_is_one CHECK ((id = 1))
);

CREATE TABLE event (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    mode "Mode" NOT NULL,
    sequence bigint NOT NULL,
    type "EventType" NOT NULL,
    payment_id uuid NOT NULL,
    body text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    refund_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    traceparent text
);

CREATE TABLE event_counter (
    organization_id uuid NOT NULL,
    mode "Mode" NOT NULL,
    last_sequence bigint NOT NULL
);

CREATE TABLE idempotency_key (
    organization_id uuid NOT NULL,
    mode "Mode" NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    subject_id uuid NOT NULL,
    holder integer NOT NULL,
    locked_until timestamp(3) with time zone NOT NULL,
    outcome json,
    created_at timestamp(3) with time zone NOT NULL,
    operation text
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_analyze_scale_factor='0.01');

CREATE TABLE invitation (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    email text NOT NULL,
    name text,
    role "Role" NOT NULL,
    token_sha256 text NOT NULL,
    invited_by_id uuid,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    accepted_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone
);

CREATE TABLE member (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role "Role" NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE organization (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    default_credential_id uuid
);

CREATE TABLE organization_settings (
    organization_id uuid NOT NULL,
    changes_need_approval boolean DEFAULT false NOT NULL,
    refund_approval_above_in_cents bigint,
    refund_limits_in_cents jsonb DEFAULT '{}'::jsonb NOT NULL,
    second_factor_roles "Role"[] DEFAULT ARRAY[]::"Role"[]
);

CREATE TABLE password_link (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_sha256 text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE payment (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    mode "Mode" NOT NULL,
    api_key_id uuid,
    status "PaymentStatus" NOT NULL,
    amount_in_cents bigint NOT NULL,
    provider text NOT NULL,
    credential_id uuid,
    attempt_id uuid,
    description text,
    external_id text,
    payer_name text,
    payer_document text,
    payer_email text,
    payer_phone text,
    metadata json,
    pix_copy_paste text,
    pix_qr_code_base64 text,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    confirmed_at timestamp(3) with time zone,
    paid_late boolean DEFAULT false NOT NULL,
    duplicate_payment boolean DEFAULT false NOT NULL,
    next_check_at timestamp(3) with time zone,
    refunded_in_cents bigint DEFAULT 0 NOT NULL,
    disputed boolean DEFAULT false NOT NULL,
    reversed_in_cents bigint DEFAULT 0 NOT NULL,
    traceparent text
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_analyze_scale_factor='0.01');

CREATE TABLE payment_attempt (
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    "position" integer NOT NULL,
    provider text NOT NULL,
    credential_id uuid,
    reason text NOT NULL,
    outcome "AttemptOutcome" NOT NULL,
    error text,
    psp_reference text,
    latency_ms integer,
    next_check_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    cancelled_at timestamp(3) with time zone
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_analyze_scale_factor='0.01');

CREATE TABLE payment_hour (
    organization_id uuid NOT NULL,
    mode "Mode" NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    created integer NOT NULL,
    failed integer NOT NULL,
    completed integer NOT NULL,
    volume_in_cents bigint NOT NULL,
    refunded_in_cents bigint NOT NULL,
    pay_steps integer[],
    pay_counts integer[],
    reversed_in_cents bigint DEFAULT 0 NOT NULL
);

CREATE TABLE payment_hour_change (
    minute timestamp(3) with time zone NOT NULL,
    id bigint NOT NULL,
    organization_id uuid NOT NULL,
    mode "Mode" NOT NULL,
    created integer NOT NULL,
    failed integer NOT NULL,
    completed integer NOT NULL,
    volume_in_cents bigint NOT NULL,
    refunded_in_cents bigint NOT NULL,
    pay_step integer,
    reversed_in_cents bigint DEFAULT 0 NOT NULL
);

CREATE TABLE payment_roll_up (
    id integer NOT NULL,
    before timestamp(3) with time zone,
    before_id uuid
);

CREATE TABLE psp_customer (
    credential_id uuid NOT NULL,
    payer_digest text NOT NULL,
    reference text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE psp_notification (
    id uuid NOT NULL,
    provider text NOT NULL,
    credential_id uuid,
    body text NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    processed_at timestamp(3) with time zone,
    next_check_at timestamp(3) with time zone,
    again integer[] DEFAULT ARRAY[]::integer[],
    remaining integer[] DEFAULT ARRAY[]::integer[],
    traceparent text
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_analyze_scale_factor='0.01');

CREATE TABLE psp_sweep (
    id uuid NOT NULL,
    provider text NOT NULL,
    credential_id uuid NOT NULL,
    covered_until timestamp(3) with time zone,
    bookmark text,
    since timestamp(3) with time zone,
    until timestamp(3) with time zone,
    cursor text,
    next_bookmark text,
    missed_at timestamp(3) with time zone,
    next_check_at timestamp(3) with time zone
);

CREATE TABLE received_pix (
    end_to_end_id text NOT NULL,
    payment_id uuid NOT NULL,
    attempt_id uuid NOT NULL,
    amount_in_cents bigint NOT NULL,
    paid_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    organization_id uuid NOT NULL,
    returned_in_cents bigint DEFAULT 0 NOT NULL,
    told_end_to_end_id text
);

CREATE TABLE refund (
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    attempt_id uuid NOT NULL,
    end_to_end_id text NOT NULL,
    amount_in_cents bigint NOT NULL,
    status "RefundStatus" NOT NULL,
    psp_reference text,
    created_at timestamp(3) with time zone NOT NULL,
    next_check_at timestamp(3) with time zone,
    sent_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    credential_id uuid,
    failure_reason text,
    api_key_id uuid,
    user_id uuid,
    approved_at timestamp(3) with time zone,
    awaiting_approval boolean DEFAULT false NOT NULL,
    counted_for uuid,
    counted_on date,
    pending_reason text
);

CREATE TABLE refund_day (
    organization_id uuid NOT NULL,
    holder_id uuid NOT NULL,
    day date NOT NULL,
    amount_in_cents bigint NOT NULL
);

CREATE TABLE reversal (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    mode "Mode" NOT NULL,
    payment_id uuid NOT NULL,
    end_to_end_id text NOT NULL,
    psp_reference text NOT NULL,
    reason "ReversalReason" NOT NULL,
    amount_in_cents bigint NOT NULL,
    status "ReversalStatus" NOT NULL,
    reversed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE rule_set (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    default_credential_id uuid,
    fallback_credential_ids uuid[],
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE rule_set_range (
    rule_set_id uuid NOT NULL,
    "position" integer NOT NULL,
    from_cents bigint NOT NULL,
    to_cents bigint NOT NULL,
    credential_id uuid NOT NULL
);

CREATE TABLE sandbox_charge (
    transaction_id text NOT NULL,
    amount_in_cents bigint NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    cancelled_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE sandbox_dispute (
    reference text NOT NULL,
    transaction_id text NOT NULL,
    amount_in_cents bigint NOT NULL,
    state "DisputeState" NOT NULL,
    opened_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE sandbox_key_pix (
    end_to_end_id text NOT NULL,
    organization_id uuid NOT NULL,
    amount_in_cents bigint NOT NULL,
    paid_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE sandbox_pix (
    end_to_end_id text NOT NULL,
    transaction_id text NOT NULL,
    paid_at timestamp(3) with time zone NOT NULL,
    organization_id uuid
);

CREATE TABLE sandbox_refund (
    refund_id text NOT NULL,
    transaction_id text NOT NULL,
    amount_in_cents bigint NOT NULL,
    end_to_end_id text
);

CREATE TABLE sandbox_reversal (
    reference text NOT NULL,
    transaction_id text NOT NULL,
    amount_in_cents bigint NOT NULL,
    reason "ReversalReason" NOT NULL,
    reversed_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE session (
    id uuid NOT NULL,
    token text NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    ip_address text,
    user_agent text,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE statement_day (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    provider text NOT NULL,
    credential_id uuid NOT NULL,
    day date NOT NULL,
    imported_at timestamp(3) with time zone,
    round integer DEFAULT 0 NOT NULL,
    next_round integer DEFAULT 1 NOT NULL,
    cursor text,
    is_listed boolean DEFAULT false NOT NULL,
    problem text,
    pix_count integer DEFAULT 0 NOT NULL,
    received_in_cents bigint DEFAULT 0 NOT NULL,
    returned_in_cents bigint DEFAULT 0,
    reversed_in_cents bigint DEFAULT 0,
    fee_in_cents bigint,
    own_pix_count integer DEFAULT 0 NOT NULL,
    own_received_in_cents bigint DEFAULT 0 NOT NULL,
    own_returned_in_cents bigint DEFAULT 0 NOT NULL,
    difference_count integer DEFAULT 0 NOT NULL,
    next_check_at timestamp(3) with time zone,
    settled_count integer DEFAULT 0 NOT NULL,
    problem_reason jsonb,
    mode "Mode" DEFAULT 'live'::"Mode" NOT NULL
);

CREATE TABLE statement_entry (
    credential_id uuid NOT NULL,
    reference text NOT NULL,
    day date NOT NULL,
    round integer NOT NULL,
    end_to_end_id text,
    attempt_id uuid,
    charge_reference text,
    amount_in_cents bigint,
    returned_in_cents bigint,
    reversed_in_cents bigint,
    fee_in_cents bigint,
    received_at timestamp(3) with time zone,
    problem text
);

CREATE TABLE two_factor (
    id uuid NOT NULL,
    secret text NOT NULL,
    backup_codes text NOT NULL,
    user_id uuid NOT NULL,
    verified boolean DEFAULT true NOT NULL,
    failed_verification_count integer DEFAULT 0 NOT NULL,
    locked_until timestamp(3) with time zone,
    last_used_step integer
);

CREATE TABLE unreadable_response (
    id uuid NOT NULL,
    credential_id uuid NOT NULL,
    operation text NOT NULL,
    attempt_id uuid,
    payment_id uuid,
    http_status integer NOT NULL,
    problem text NOT NULL,
    sealed_body text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE "user" (
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_verified boolean DEFAULT false NOT NULL,
    image text,
    two_factor_enabled boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    must_change_password boolean DEFAULT false NOT NULL
);

CREATE TABLE verification (
    id uuid NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE webhook_attempt (
    id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    status_code integer,
    error text,
    answer text,
    latency_ms integer NOT NULL,
    started_at timestamp(3) with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_analyze_scale_factor='0.01');

CREATE TABLE webhook_delivery (
    id uuid DEFAULT uuid_v7() NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    status "WebhookDeliveryStatus" DEFAULT 'pending'::"WebhookDeliveryStatus" NOT NULL,
    attempt_count integer DEFAULT 0 NOT NULL,
    holder integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_analyze_scale_factor='0.01');

CREATE TABLE webhook_endpoint (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    mode "Mode" NOT NULL,
    url text NOT NULL,
    events "EventType"[],
    enabled boolean DEFAULT true NOT NULL,
    disabled_reason text,
    sealed_secret text NOT NULL,
    previous_sealed_secret text,
    previous_secret_until timestamp(3) with time zone,
    failing_since timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE SEQUENCE payment_hour_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE payment_hour_change_id_seq OWNED BY payment_hour_change.id;

ALTER TABLE ONLY payment_hour_change ALTER COLUMN id SET DEFAULT nextval('payment_hour_change_id_seq'::regclass);

INSERT INTO payment_roll_up VALUES (1, NULL, NULL);

ALTER TABLE account ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE api_key ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);
ALTER TABLE approval_request ADD CONSTRAINT approval_request_pkey PRIMARY KEY (id);
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (id);
ALTER TABLE audit_head ADD CONSTRAINT audit_head_pkey PRIMARY KEY (organization_id);
ALTER TABLE book_difference ADD CONSTRAINT book_difference_pkey PRIMARY KEY (day_id, kind, reference);
ALTER TABLE book_settlement ADD CONSTRAINT book_settlement_pkey PRIMARY KEY (credential_id, kind, reference);
ALTER TABLE credential ADD CONSTRAINT credential_pkey PRIMARY KEY (id);
ALTER TABLE credential_traffic ADD CONSTRAINT credential_traffic_pkey PRIMARY KEY (credential_id);
ALTER TABLE dispute ADD CONSTRAINT dispute_pkey PRIMARY KEY (id);
ALTER TABLE encryption_canary ADD CONSTRAINT encryption_canary_pkey PRIMARY KEY (id);
ALTER TABLE event_counter ADD CONSTRAINT event_counter_pkey PRIMARY KEY (organization_id, mode);
ALTER TABLE event ADD CONSTRAINT event_pkey PRIMARY KEY (id);
ALTER TABLE idempotency_key ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (organization_id, mode, key);
ALTER TABLE invitation ADD CONSTRAINT invitation_pkey PRIMARY KEY (id);
ALTER TABLE member ADD CONSTRAINT member_pkey PRIMARY KEY (organization_id, user_id);
ALTER TABLE organization ADD CONSTRAINT organization_pkey PRIMARY KEY (id);
ALTER TABLE organization_settings ADD CONSTRAINT organization_settings_pkey PRIMARY KEY (organization_id);
ALTER TABLE password_link ADD CONSTRAINT password_link_pkey PRIMARY KEY (id);
ALTER TABLE payment_attempt ADD CONSTRAINT payment_attempt_pkey PRIMARY KEY (id);
ALTER TABLE payment_hour_change ADD CONSTRAINT payment_hour_change_pkey PRIMARY KEY (minute, id);
ALTER TABLE payment_hour ADD CONSTRAINT payment_hour_pkey PRIMARY KEY (organization_id, mode, hour);
ALTER TABLE payment ADD CONSTRAINT payment_pkey PRIMARY KEY (id);
ALTER TABLE payment_roll_up ADD CONSTRAINT payment_roll_up_pkey PRIMARY KEY (id);
ALTER TABLE psp_customer ADD CONSTRAINT psp_customer_pkey PRIMARY KEY (credential_id, payer_digest);
ALTER TABLE psp_notification ADD CONSTRAINT psp_notification_pkey PRIMARY KEY (id);
ALTER TABLE psp_sweep ADD CONSTRAINT psp_sweep_pkey PRIMARY KEY (id);
ALTER TABLE received_pix ADD CONSTRAINT received_pix_pkey PRIMARY KEY (organization_id, end_to_end_id);
ALTER TABLE refund_day ADD CONSTRAINT refund_day_pkey PRIMARY KEY (organization_id, holder_id, day);
ALTER TABLE refund ADD CONSTRAINT refund_pkey PRIMARY KEY (id);
ALTER TABLE reversal ADD CONSTRAINT reversal_pkey PRIMARY KEY (id);
ALTER TABLE rule_set ADD CONSTRAINT rule_set_pkey PRIMARY KEY (id);
ALTER TABLE rule_set_range ADD CONSTRAINT rule_set_range_pkey PRIMARY KEY (rule_set_id, "position");
ALTER TABLE sandbox_charge ADD CONSTRAINT sandbox_charge_pkey PRIMARY KEY (transaction_id);
ALTER TABLE sandbox_dispute ADD CONSTRAINT sandbox_dispute_pkey PRIMARY KEY (reference);
ALTER TABLE sandbox_key_pix ADD CONSTRAINT sandbox_key_pix_pkey PRIMARY KEY (end_to_end_id);
ALTER TABLE sandbox_pix ADD CONSTRAINT sandbox_pix_pkey PRIMARY KEY (end_to_end_id);
ALTER TABLE sandbox_refund ADD CONSTRAINT sandbox_refund_pkey PRIMARY KEY (refund_id);
ALTER TABLE sandbox_reversal ADD CONSTRAINT sandbox_reversal_pkey PRIMARY KEY (reference);
ALTER TABLE session ADD CONSTRAINT session_pkey PRIMARY KEY (id);
ALTER TABLE statement_day ADD CONSTRAINT statement_day_pkey PRIMARY KEY (id);
ALTER TABLE statement_entry ADD CONSTRAINT statement_entry_pkey PRIMARY KEY (credential_id, reference);
ALTER TABLE two_factor ADD CONSTRAINT two_factor_pkey PRIMARY KEY (id);
ALTER TABLE unreadable_response ADD CONSTRAINT unreadable_response_pkey PRIMARY KEY (id);
ALTER TABLE "user" ADD CONSTRAINT user_pkey PRIMARY KEY (id);
ALTER TABLE verification ADD CONSTRAINT verification_pkey PRIMARY KEY (id);
ALTER TABLE webhook_attempt ADD CONSTRAINT webhook_attempt_pkey PRIMARY KEY (id);
ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id);
ALTER TABLE webhook_endpoint ADD CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX account_provider_id_account_id_key ON account (provider_id, account_id);
CREATE INDEX account_user_id_idx ON account (user_id);
CREATE INDEX api_key_organization_id_id_idx ON api_key (organization_id, id);
CREATE UNIQUE INDEX api_key_sha256_key ON api_key (sha256);
CREATE INDEX approval_request_expiry_idx ON approval_request (expires_at) WHERE (status = 'pending'::"ApprovalStatus");
CREATE INDEX approval_request_organization_id_id_idx ON approval_request (organization_id, id);
CREATE INDEX approval_request_pending_idx ON approval_request (organization_id, id) WHERE (status = 'pending'::"ApprovalStatus");
CREATE INDEX audit_entry_changes_idx ON audit_entry (organization_id, id) WHERE (action <> ALL (ARRAY['session.sign_in'::text, 'session.sign_in_failed'::text, 'payer.view'::text, 'payment.export'::text]));
CREATE INDEX audit_entry_organization_id_id_idx ON audit_entry (organization_id, id);
CREATE UNIQUE INDEX audit_entry_organization_id_sequence_key ON audit_entry (organization_id, sequence);
CREATE INDEX audit_entry_sign_ins_idx ON audit_entry (organization_id, id) WHERE (action = ANY (ARRAY['session.sign_in'::text, 'session.sign_in_failed'::text]));
CREATE INDEX audit_entry_unchained_idx ON audit_entry (id) WHERE (sequence IS NULL);
CREATE INDEX audit_entry_views_idx ON audit_entry (organization_id, id) WHERE (action = ANY (ARRAY['payer.view'::text, 'payment.export'::text]));
CREATE UNIQUE INDEX book_difference_id_key ON book_difference (id);
CREATE INDEX book_difference_open_idx ON book_difference (kind) WHERE (settled_at IS NULL);
CREATE INDEX book_difference_open_live_idx ON book_difference (kind) WHERE ((settled_at IS NULL) AND (mode = 'live'::"Mode"));
CREATE INDEX book_settlement_payment_id_idx ON book_settlement (payment_id) WHERE (payment_id IS NOT NULL);
CREATE UNIQUE INDEX credential_notification_token_sha256_key ON credential (notification_token_sha256);
CREATE INDEX credential_organization_id_id_idx ON credential (organization_id, id);
CREATE INDEX dispute_organization_id_mode_created_at_idx ON dispute (organization_id, mode, created_at);
CREATE UNIQUE INDEX dispute_payment_id_psp_reference_key ON dispute (payment_id, psp_reference);
CREATE INDEX event_organization_id_mode_id_idx ON event (organization_id, mode, id);
CREATE UNIQUE INDEX event_organization_id_mode_sequence_key ON event (organization_id, mode, sequence);
CREATE UNIQUE INDEX event_payment_id_type_refund_id_key ON event (payment_id, type, refund_id);
CREATE INDEX idempotency_key_created_at_idx ON idempotency_key (created_at);
CREATE INDEX invitation_organization_id_id_idx ON invitation (organization_id, id) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE UNIQUE INDEX invitation_token_sha256_key ON invitation (token_sha256);
CREATE INDEX member_user_id_idx ON member (user_id);
CREATE UNIQUE INDEX organization_default_credential_id_key ON organization (default_credential_id);
CREATE UNIQUE INDEX password_link_token_sha256_key ON password_link (token_sha256);
CREATE INDEX password_link_user_id_idx ON password_link (user_id);
CREATE INDEX payment_abandoned_idx ON payment (next_check_at) WHERE (status = 'creating'::"PaymentStatus");
CREATE INDEX payment_attempt_due_idx ON payment_attempt (credential_id, next_check_at) WHERE (outcome = 'unknown'::"AttemptOutcome");
CREATE INDEX payment_attempt_payment_id_position_idx ON payment_attempt (payment_id, "position");
CREATE INDEX payment_disputed_idx ON payment (organization_id, mode, id) WHERE disputed;
CREATE INDEX payment_due_idx ON payment (credential_id, next_check_at) WHERE (status = 'pending'::"PaymentStatus");
CREATE INDEX payment_duplicated_idx ON payment (organization_id, mode, id) WHERE (duplicate_payment AND (refunded_in_cents = 0));
CREATE INDEX payment_hour_change_organization_id_mode_minute_idx ON payment_hour_change (organization_id, mode, minute);
CREATE INDEX payment_late_idx ON payment (credential_id, next_check_at) WHERE ((status = 'expired'::"PaymentStatus") AND (next_check_at IS NOT NULL));
CREATE INDEX payment_organization_id_mode_amount_in_cents_id_idx ON payment (organization_id, mode, amount_in_cents, id);
CREATE INDEX payment_organization_id_mode_external_id_id_idx ON payment (organization_id, mode, external_id, id);
CREATE INDEX payment_organization_id_mode_id_idx ON payment (organization_id, mode, id);
CREATE INDEX payment_organization_id_mode_payer_document_id_idx ON payment (organization_id, mode, payer_document, id) WHERE (payer_document IS NOT NULL);
CREATE INDEX payment_organization_id_mode_status_id_idx ON payment (organization_id, mode, status, id);
CREATE INDEX payment_paid_late_idx ON payment (organization_id, mode, id) WHERE (paid_late AND (refunded_in_cents = 0));
CREATE INDEX psp_notification_due_idx ON psp_notification (credential_id, next_check_at) WHERE (processed_at IS NULL);
CREATE UNIQUE INDEX psp_sweep_credential_id_key ON psp_sweep (credential_id);
CREATE INDEX psp_sweep_due_idx ON psp_sweep (credential_id, next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX received_pix_organization_id_paid_at_idx ON received_pix (organization_id, paid_at);
CREATE INDEX received_pix_organization_id_told_end_to_end_id_idx ON received_pix (organization_id, told_end_to_end_id) WHERE (told_end_to_end_id IS NOT NULL);
CREATE INDEX received_pix_payment_id_idx ON received_pix (payment_id);
CREATE INDEX refund_due_idx ON refund (credential_id, next_check_at) WHERE (status = 'pending'::"RefundStatus");
CREATE INDEX refund_payment_id_id_idx ON refund (payment_id, id);
CREATE INDEX reversal_organization_id_mode_created_at_idx ON reversal (organization_id, mode, created_at);
CREATE UNIQUE INDEX reversal_payment_id_end_to_end_id_psp_reference_key ON reversal (payment_id, end_to_end_id, psp_reference);
CREATE INDEX rule_set_organization_id_id_idx ON rule_set (organization_id, id);
CREATE INDEX sandbox_dispute_transaction_id_idx ON sandbox_dispute (transaction_id);
CREATE INDEX sandbox_key_pix_organization_id_paid_at_end_to_end_id_idx ON sandbox_key_pix (organization_id, paid_at, end_to_end_id);
CREATE INDEX sandbox_pix_organization_id_paid_at_end_to_end_id_idx ON sandbox_pix (organization_id, paid_at, end_to_end_id);
CREATE INDEX sandbox_pix_transaction_id_idx ON sandbox_pix (transaction_id);
CREATE INDEX sandbox_refund_transaction_id_idx ON sandbox_refund (transaction_id);
CREATE INDEX sandbox_reversal_transaction_id_idx ON sandbox_reversal (transaction_id);
CREATE INDEX session_expires_at_idx ON session (expires_at);
CREATE UNIQUE INDEX session_token_key ON session (token);
CREATE INDEX session_user_id_idx ON session (user_id);
CREATE UNIQUE INDEX statement_day_credential_id_day_key ON statement_day (credential_id, day);
CREATE INDEX statement_day_due_idx ON statement_day (credential_id, next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX statement_day_open_idx ON statement_day (organization_id, day) WHERE (difference_count > 0);
CREATE INDEX statement_day_organization_id_day_idx ON statement_day (organization_id, day);
CREATE INDEX statement_entry_credential_id_day_reference_idx ON statement_entry (credential_id, day, reference);
CREATE INDEX statement_entry_problem_idx ON statement_entry (credential_id, day) WHERE (problem IS NOT NULL);
CREATE INDEX two_factor_user_id_idx ON two_factor (user_id);
CREATE INDEX unreadable_response_credential_id_id_idx ON unreadable_response (credential_id, id);
CREATE INDEX unreadable_response_payment_id_id_idx ON unreadable_response (payment_id, id);
CREATE UNIQUE INDEX user_email_key ON "user" (email);
CREATE INDEX verification_expires_at_idx ON verification (expires_at);
CREATE INDEX verification_identifier_idx ON verification (identifier);
CREATE INDEX webhook_attempt_delivery_id_id_idx ON webhook_attempt (delivery_id, id);
CREATE UNIQUE INDEX webhook_delivery_endpoint_id_event_id_key ON webhook_delivery (endpoint_id, event_id);
CREATE INDEX webhook_delivery_endpoint_id_next_attempt_at_idx ON webhook_delivery (endpoint_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX webhook_delivery_event_id_idx ON webhook_delivery (event_id);
CREATE INDEX webhook_endpoint_organization_id_mode_id_idx ON webhook_endpoint (organization_id, mode, id);

-- Payments that are younger are added up no earlier than four minutes after their creation, as they are then.
CREATE TRIGGER "payment_hour_change" AFTER UPDATE ON "payment" FOR EACH ROW
WHEN (OLD.created_at < clock_timestamp() - INTERVAL '2 minutes'
    AND (OLD.confirmed_at IS DISTINCT FROM NEW.confirmed_at
        OR OLD.refunded_in_cents <> NEW.refunded_in_cents
        OR OLD.reversed_in_cents <> NEW.reversed_in_cents
        OR (OLD.status <> NEW.status
            AND (OLD.status IN ('creating', 'failed') OR NEW.status IN ('creating', 'failed')))))
EXECUTE FUNCTION "note_payment_hour_change"();

CREATE TRIGGER "payment_hour_insert" AFTER INSERT ON "payment" FOR EACH ROW
WHEN (NEW.status <> 'creating' AND NEW.created_at < clock_timestamp() - INTERVAL '2 minutes')
EXECUTE FUNCTION "note_payment_hour_change"();

ALTER TABLE account ADD CONSTRAINT account_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE api_key ADD CONSTRAINT api_key_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE approval_request ADD CONSTRAINT approval_request_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE book_difference ADD CONSTRAINT book_difference_day_id_fkey FOREIGN KEY (day_id) REFERENCES statement_day(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE credential ADD CONSTRAINT credential_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE dispute ADD CONSTRAINT dispute_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE member ADD CONSTRAINT member_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE member ADD CONSTRAINT member_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE organization ADD CONSTRAINT organization_default_credential_id_fkey FOREIGN KEY (default_credential_id) REFERENCES credential(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE organization_settings ADD CONSTRAINT organization_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE password_link ADD CONSTRAINT password_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE payment_attempt ADD CONSTRAINT payment_attempt_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE received_pix ADD CONSTRAINT received_pix_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE refund ADD CONSTRAINT refund_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE reversal ADD CONSTRAINT reversal_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE rule_set ADD CONSTRAINT rule_set_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE rule_set_range ADD CONSTRAINT rule_set_range_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES credential(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE rule_set_range ADD CONSTRAINT rule_set_range_rule_set_id_fkey FOREIGN KEY (rule_set_id) REFERENCES rule_set(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sandbox_pix ADD CONSTRAINT sandbox_pix_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES sandbox_charge(transaction_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE session ADD CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE two_factor ADD CONSTRAINT two_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE unreadable_response ADD CONSTRAINT unreadable_response_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES credential(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE webhook_attempt ADD CONSTRAINT webhook_attempt_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_delivery(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE RESTRICT;
