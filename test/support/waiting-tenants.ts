/** Statements that make `$1` organizations: of each a credential with one pending payment, and with everything else that workers come back to, a day from now. */
export const waitingTenants = [
  `INSERT INTO organization (id, name, created_at) SELECT gen_random_uuid(), 'Shop ' || n, now() FROM generate_series(1, $1::int) AS n`,
  `INSERT INTO credential (id, organization_id, provider, name, needs_payer, sealed_settings, notification_token_sha256,
     certificate_expires_at, certificate_checked_at, created_at)
   SELECT gen_random_uuid(), id, 'woovi', 'Account', '{}', 'sealed', gen_random_uuid(), now() + interval '1 year', now(), now() FROM organization`,
  `INSERT INTO credential_traffic (credential_id) SELECT id FROM credential`,
  `INSERT INTO credential_health (credential_id, succeeded_at, answered_at) SELECT id, now(), now() FROM credential`,
  `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, attempt_id, created_at, expires_at, next_check_at)
   SELECT uuid_v7(), organization_id, 'live', status::"PaymentStatus", 100, provider, id, gen_random_uuid(), now(), now() + interval '2 days',
     now() + interval '1 day' FROM credential, unnest(ARRAY['pending', 'expired']) AS status`,
  `INSERT INTO payment_check (payment_id, credential_id, next_check_at)
   SELECT gen_random_uuid(), id, now() + interval '1 day' FROM credential`,
  `INSERT INTO payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, next_check_at, created_at)
   SELECT attempt_id, id, 0, provider, credential_id, 'default', 'unknown', now() + interval '1 day', now() FROM payment WHERE status = 'pending'`,
  `INSERT INTO refund (id, payment_id, attempt_id, end_to_end_id, amount_in_cents, status, created_at, next_check_at, credential_id)
   SELECT uuid_v7(), id, attempt_id, 'E' || id, 100, 'pending', now(), now() + interval '1 day', credential_id FROM payment WHERE status = 'pending'`,
  `INSERT INTO psp_notification (id, provider, credential_id, body, received_at, next_check_at)
   SELECT uuid_v7(), provider, id, '{}', now(), now() + interval '1 day' FROM credential`,
  `INSERT INTO recurrence (id, organization_id, mode, status, provider, credential_id, frequency, start_date, retries, "authorization",
     schedule, contract, payer_name, payer_document, created_at, expires_at, next_check_at)
   SELECT uuid_v7(), organization_id, 'live', 'active', provider, id, 'monthly', '2027-01-01', 'none', 'code', 'automatic', 'a', 'Maria',
     '52998224725', now(), now() + interval '1 year', now() + interval '1 day' FROM credential`,
  `INSERT INTO dispute (id, organization_id, mode, payment_id, psp_reference, state, amount_in_cents, created_at, credential_id, next_check_at)
   SELECT uuid_v7(), organization_id, mode, id, 'a', 'open', 100, now(), credential_id, now() + interval '1 day' FROM payment WHERE status = 'expired'`,
  `INSERT INTO dispute_sweep (credential_id, organization_id, provider, created_at, next_check_at)
   SELECT id, organization_id, provider, now(), now() + interval '1 day' FROM credential`,
  `INSERT INTO psp_sweep (id, provider, credential_id, next_check_at) SELECT uuid_v7(), provider, id, now() + interval '1 day' FROM credential`,
  `INSERT INTO listed_charge (id, credential_id, listed_at, next_check_at)
   SELECT gen_random_uuid(), id, now(), now() + interval '1 day' FROM credential`,
  `INSERT INTO statement_day (id, organization_id, provider, credential_id, day, next_check_at)
   SELECT uuid_v7(), organization_id, provider, id, current_date - 1, now() + interval '1 day' FROM credential`,
  `INSERT INTO webhook_endpoint (id, organization_id, mode, url, sealed_secret, created_at)
   SELECT gen_random_uuid(), id, 'live', 'https://shop.example/', 'sealed', now() FROM organization`,
  `INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
   SELECT uuid_v7(), organization_id, mode, 1, 'payment_expired', id, '{}', now() FROM payment WHERE status = 'expired'`,
  `INSERT INTO webhook_delivery (event_id, endpoint_id, next_attempt_at, created_at)
   SELECT event.id, endpoint.id, now() + interval '1 day', now() FROM event JOIN webhook_endpoint endpoint USING (organization_id)`,
];
