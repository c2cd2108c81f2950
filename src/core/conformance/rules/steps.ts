/** A step of a charge's life: what is asked of a provider, and where the Banco Central's API Pix 2.9.0 asks for it. */
interface StepRule {
  rule: string;
  /** Only for banks of the API Pix. */
  source: string;
}

export const steps = {
  certificate: { rule: 'The client certificate is valid.', source: 'mutual TLS' },
  sign_in: { rule: 'The credential signs in.', source: 'OAuth 2.0, client credentials' },
  absent: { rule: 'A charge that was never made is said not to exist.', source: 'GET /cob/{txid}' },
  webhook: { rule: 'Our notification URL is registered.', source: 'GET /webhook/{chave}' },
  create: {
    rule: 'A charge is made under our id: active, of the amount asked for, with a code that banks accept.',
    source: 'PUT /cob/{txid}',
  },
  repeat: { rule: 'The same request again makes no second charge.', source: 'PUT /cob/{txid}' },
  read: { rule: 'The charge is read as it was made.', source: 'GET /cob/{txid}' },
  read_by_our_id: {
    rule: 'The charge is found by our id alone, as after a lost response.',
    source: 'GET /cob/{txid}',
  },
  list_charges: { rule: 'The list of charges names it.', source: 'GET /cob' },
  cancel: {
    rule: 'The charge is cancelled, and still is when it is read again.',
    source: 'PATCH /cob/{txid}',
  },
  pay: { rule: 'A Pix pays a charge, and is shown with its amount, id and time.', source: 'GET /cob/{txid}' },
  notify: { rule: 'The service is notified of the Pix.', source: 'POST {webhookUrl}/pix' },
  keep: { rule: 'A paid charge cannot be cancelled, and stays paid.', source: 'PATCH /cob/{txid}' },
  list_received: { rule: 'The list of received Pix names the charge.', source: 'GET /pix' },
  statement: { rule: 'The statement lists the Pix once, with its amount.', source: 'GET /pix' },
  refund_part: {
    rule: 'A part of the Pix is refunded, and the refund is found again.',
    source: 'PUT /pix/{e2eid}/devolucao/{id}',
  },
  refund_repeat: {
    rule: 'The same refund again returns nothing more.',
    source: 'PUT /pix/{e2eid}/devolucao/{id}',
  },
  refund_rest: {
    rule: 'All that is left of the Pix is refunded, and the refund is found again.',
    source: 'PUT /pix/{e2eid}/devolucao/{id}',
  },
  due_create: { rule: 'A charge with a due date is made and read again.', source: 'PUT /cobv/{txid}' },
  due_revise: { rule: 'Its amount is changed, and read again.', source: 'PATCH /cobv/{txid}' },
  due_cancel: { rule: 'It is cancelled, and still is when it is read again.', source: 'PATCH /cobv/{txid}' },
  recurrence_create: {
    rule: 'A recurrence is made: pending, with a code by which the payer permits it.',
    source: 'POST /rec',
  },
  recurrence_read: { rule: 'The recurrence is read as it was made.', source: 'GET /rec/{idRec}' },
  recurrence_cancel: {
    rule: 'The recurrence is cancelled, and still is when it is read again.',
    source: 'PATCH /rec/{idRec}',
  },
  leave: { rule: 'Nothing that was made is left to be paid.', source: 'PATCH /cob/{txid}' },
} satisfies Record<string, StepRule>;

export type StepName = keyof typeof steps;

export const stepNames = Object.keys(steps) as StepName[];

/**
 * `not_offered`: the provider or the account has no such thing; `not_seen`: it depends on the world between, such as a webhook;
 * `skipped`: it was not tried.
 */
export type Outcome = 'held' | 'broken' | 'not_offered' | 'not_seen' | 'skipped';

/** Everything that is said of an outcome. A report has no other prose, so that nothing of a person can be in it. */
export const notes = {
  // Broken.
  refused: 'The provider refused the request.',
  no_answer: 'The provider gave no response that could be read and believed.',
  unusable: 'The credential cannot be used.',
  not_active: 'The charge is not active.',
  other_amount: 'The amount is not the one asked for.',
  no_code: 'There is no code to pay.',
  invalid_code: 'The code is not a valid BR Code.',
  other_code: 'The code states another amount or another charge.',
  other_expiry: 'The charge expires at another time.',
  other_charge: 'It is another charge than before.',
  not_found: 'It is not there.',
  not_listed: 'It is not listed.',
  listed_twice: 'It is listed more than once.',
  not_cancelled: 'It is not cancelled.',
  not_one_pix: 'It does not have exactly one Pix.',
  no_time: 'The time of the Pix is missing, or before the charge was made.',
  not_paid: 'It is not paid any more.',
  refund_failed: 'The refund failed.',
  refund_lost: 'The refund is not found again.',
  refunded_twice: 'More was returned than was asked for.',
  not_revised: 'It was not changed.',
  not_pending: 'The recurrence is not pending.',
  other_recurrence: 'It is another recurrence than before.',
  something_left: 'Something that was made could not be ended or refunded.',
  exists: 'The provider has a charge that was never made.',
  // Otherwise.
  no_such_operation: 'The provider has none.',
  unserved: 'The bank, the account or the settings of the credential lack it.',
  ends_by_itself: 'The provider cannot cancel: the charges end at their expiry.',
  no_certificate: 'The credential has no client certificate.',
  no_sign_in: 'The key goes with every request.',
  webhook_per_charge: 'The URL is sent with each charge.',
  webhook_in_panel: 'The URL is entered in the panel of the provider.',
  not_registered: 'The URL is not registered as it should be.',
  not_notified: 'No notification arrived: can the provider reach PUBLIC_URL?',
  nobody_paid: 'Nobody paid the code in time.',
  no_payer: 'It needs data of a payer.',
  failed_before: 'An earlier step failed.',
  interrupted: 'The run was interrupted.',
} as const;

export type Note = keyof typeof notes;
