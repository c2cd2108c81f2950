/** The actions that the audit log records, in the groups by which it can be filtered. */
export const auditActions = {
  payments: [
    'payment.create',
    'payment.update',
    'payment.cancel',
    'payment.refund',
    'payment.settle_refund',
    'dispute.defend',
    'dispute.accept',
    'payment.simulate',
    'test_clock.advance',
    'payment_batch.create',
    'payment.retry',
    'recurrence.create',
    'recurrence.cancel',
    'recurrence.charge',
    'recurrence.simulate',
    'payment_link.create',
    'payment_link.deactivate',
  ],
  payers: ['payer.view', 'payment.export', 'person.forget', 'person.forgotten'],
  books: ['books.fetch', 'book_difference.settle', 'book_difference.reopen'],
  credentials: [
    'credential.create',
    'credential.update',
    'credential.enable',
    'credential.disable',
    'credential.set_default',
    'credential.set_default_fallbacks',
    'credential.divert',
    'credential.end_diversion',
    'credential.check',
    'credential.run_conformance',
    'credential.register_webhook',
    'credential.archive',
    'credential.restore',
    'credential.delete',
  ],
  rules: ['rule_set.create', 'rule_set.update', 'rule_set.set_default', 'rule_set.delete'],
  webhooks: [
    'webhook_endpoint.create',
    'webhook_endpoint.update',
    'webhook_endpoint.enable',
    'webhook_endpoint.disable',
    'webhook_endpoint.rotate_secret',
    'webhook_endpoint.delete',
    'webhook_endpoint.test',
    'webhook_endpoint.resend_undelivered',
    'webhook_endpoint.resend_since',
    'webhook_delivery.resend',
  ],
  keys: ['api_key.create', 'api_key.update', 'api_key.rotate', 'api_key.revoke'],
  people: [
    'member.invite',
    'member.revoke_invitation',
    'member.join',
    'member.create',
    'member.set_role',
    'member.set_alerts',
    'member.remove',
  ],
  access: [
    'session.sign_in',
    'session.sign_in_failed',
    'session.end',
    'session.end_others',
    'session.end_all',
    'user.change_password',
    'user.request_password_link',
    'user.reset_password',
    'user.enable_second_factor',
    'user.disable_second_factor',
    'user.replace_backup_codes',
    'user.reset_second_factor',
  ],
  approvals: [
    'approval.request',
    'approval.approve',
    'approval.reject',
    'approval.withdraw',
    'approval.fail',
  ],
  organization: [
    'organization.rename',
    'organization.update_settings',
    'organization.update_profile',
    'organization.set_logo',
    'organization.remove_logo',
    'restore.check',
    'audit.export',
  ],
} as const satisfies Record<string, readonly string[]>;

export type AuditGroup = keyof typeof auditActions;

export type AuditAction = (typeof auditActions)[AuditGroup][number];

export const auditGroups = Object.keys(auditActions) as [AuditGroup, ...AuditGroup[]];

/** Categories of actions, each with a partial index. `changes` are all actions that are in no other. */
export const auditKinds = ['changes', 'sign_ins', 'views'] as const;

export type AuditKind = (typeof auditKinds)[number];

/** These are in the conditions of the partial indexes, so changing them takes a migration. */
export const actionsOfKinds: Record<Exclude<AuditKind, 'changes'>, readonly AuditAction[]> = {
  sign_ins: ['session.sign_in', 'session.sign_in_failed'],
  views: ['payer.view', 'payment.export'],
};

const kindOf = (action: AuditAction): AuditKind => {
  if (actionsOfKinds.sign_ins.includes(action)) return 'sign_ins';
  return actionsOfKinds.views.includes(action) ? 'views' : 'changes';
};

export const actionsOfGroup = (group: AuditGroup, kind?: AuditKind): AuditAction[] =>
  auditActions[group].filter((action) => kind === undefined || kindOf(action) === kind);

/** Actors that are neither people nor keys. */
export const nobodies = ['operator', 'unknown'] as const;

export type Nobody = (typeof nobodies)[number];
