import type { LocalizedText } from '../../base/localized-text.ts';
import { type AuditAction, type AuditGroup, auditActions, type Nobody } from './audit-actions.ts';

type Language = keyof LocalizedText;

const actionWords: Record<AuditAction, LocalizedText> = {
  'payment.create': { pt: 'Criou uma cobrança de teste', en: 'Created a test payment' },
  'payment.update': { pt: 'Alterou uma cobrança', en: 'Changed a payment' },
  'payment.cancel': { pt: 'Cancelou uma cobrança', en: 'Cancelled a payment' },
  'payment.refund': { pt: 'Estornou um pagamento', en: 'Refunded a payment' },
  'payment.settle_refund': {
    pt: 'Registrou o resultado de um estorno',
    en: 'Recorded the outcome of a refund',
  },
  'dispute.defend': { pt: 'Enviou uma defesa', en: 'Defended a dispute' },
  'dispute.accept': { pt: 'Aceitou uma contestação', en: 'Accepted a dispute' },
  'payment.simulate': { pt: 'Simulou um pagamento', en: 'Simulated a payment' },
  'test_clock.advance': { pt: 'Adiantou o relógio de teste', en: 'Moved the test clock' },
  'payment_batch.create': { pt: 'Criou um lote de cobranças', en: 'Created a batch of payments' },
  'payment.retry': { pt: 'Pediu nova tentativa de débito', en: 'Asked for another attempt of a debit' },
  'recurrence.create': { pt: 'Criou uma recorrência', en: 'Created a recurrence' },
  'recurrence.cancel': { pt: 'Cancelou uma recorrência', en: 'Cancelled a recurrence' },
  'recurrence.charge': { pt: 'Agendou um débito', en: 'Scheduled a debit' },
  'recurrence.simulate': {
    pt: 'Simulou o pagador de uma recorrência',
    en: 'Simulated the payer of a recurrence',
  },
  'payment_link.create': { pt: 'Criou um link de pagamento', en: 'Created a payment link' },
  'payment_link.deactivate': { pt: 'Desativou um link de pagamento', en: 'Deactivated a payment link' },
  'payer.view': { pt: 'Consultou dados de pagadores', en: 'Viewed payer data' },
  'payment.export': { pt: 'Exportou pagamentos', en: 'Exported payments' },
  'person.forget': { pt: 'Pediu a anonimização de um pagador', en: 'Asked to forget a payer' },
  'person.forgotten': { pt: 'Anonimizou um pagador', en: 'Forgot a payer' },
  'books.fetch': { pt: 'Buscou o extrato de um dia', en: 'Fetched the statement of a day' },
  'book_difference.settle': {
    pt: 'Resolveu uma divergência da conciliação',
    en: 'Settled a difference in the reconciliation',
  },
  'book_difference.reopen': {
    pt: 'Reabriu uma divergência da conciliação',
    en: 'Reopened a difference in the reconciliation',
  },
  'credential.create': { pt: 'Adicionou uma credencial', en: 'Added a credential' },
  'credential.update': { pt: 'Editou uma credencial', en: 'Edited a credential' },
  'credential.enable': { pt: 'Ativou uma credencial', en: 'Enabled a credential' },
  'credential.disable': { pt: 'Desativou uma credencial', en: 'Disabled a credential' },
  'credential.set_default': { pt: 'Definiu outra credencial padrão', en: 'Changed the default credential' },
  'credential.set_default_fallbacks': {
    pt: 'Definiu a contingência da credencial padrão',
    en: 'Set the fallbacks of the default credential',
  },
  'credential.divert': {
    pt: 'Direcionou as cobranças de uma credencial para outra',
    en: 'Routed the payments of a credential to another',
  },
  'credential.end_diversion': {
    pt: 'Desfez o direcionamento de uma credencial',
    en: 'Ended the diversion of a credential',
  },
  'credential.check': { pt: 'Testou uma credencial', en: 'Tested a credential' },
  'credential.run_conformance': {
    pt: 'Executou o teste de conformidade de uma credencial',
    en: 'Ran the conformance test of a credential',
  },
  'credential.register_webhook': {
    pt: 'Cadastrou o webhook de uma credencial',
    en: 'Registered the webhook of a credential',
  },
  'credential.archive': { pt: 'Arquivou uma credencial', en: 'Archived a credential' },
  'credential.restore': { pt: 'Restaurou uma credencial', en: 'Restored a credential' },
  'credential.delete': {
    pt: 'Excluiu uma credencial que nunca foi usada',
    en: 'Deleted a credential that was never used',
  },
  'rule_set.create': { pt: 'Criou uma regra de roteamento', en: 'Created a routing rule' },
  'rule_set.update': { pt: 'Editou uma regra de roteamento', en: 'Edited a routing rule' },
  'rule_set.set_default': { pt: 'Definiu a regra de roteamento padrão', en: 'Set the default routing rule' },
  'rule_set.delete': { pt: 'Excluiu uma regra de roteamento', en: 'Deleted a routing rule' },
  'webhook_endpoint.create': { pt: 'Criou um endpoint de webhook', en: 'Created a webhook endpoint' },
  'webhook_endpoint.update': { pt: 'Editou um endpoint de webhook', en: 'Edited a webhook endpoint' },
  'webhook_endpoint.enable': { pt: 'Ativou um endpoint de webhook', en: 'Enabled a webhook endpoint' },
  'webhook_endpoint.disable': { pt: 'Desativou um endpoint de webhook', en: 'Disabled a webhook endpoint' },
  'webhook_endpoint.rotate_secret': {
    pt: 'Rotacionou o segredo de um endpoint',
    en: 'Rotated a webhook signing secret',
  },
  'webhook_endpoint.delete': { pt: 'Excluiu um endpoint de webhook', en: 'Deleted a webhook endpoint' },
  'webhook_endpoint.test': {
    pt: 'Enviou um teste a um endpoint de webhook',
    en: 'Sent a test to a webhook endpoint',
  },
  'webhook_endpoint.resend_undelivered': {
    pt: 'Reenviou os webhooks com falha',
    en: 'Resent the failed webhooks',
  },
  'webhook_endpoint.resend_since': {
    pt: 'Reenviou os eventos de um período',
    en: 'Resent the events of a period',
  },
  'webhook_delivery.resend': { pt: 'Reenviou um webhook', en: 'Resent a webhook' },
  'api_key.create': { pt: 'Criou uma chave de API', en: 'Created an API key' },
  'api_key.update': { pt: 'Editou uma chave de API', en: 'Edited an API key' },
  'api_key.rotate': { pt: 'Rotacionou uma chave de API', en: 'Rotated an API key' },
  'api_key.revoke': { pt: 'Revogou uma chave de API', en: 'Revoked an API key' },
  'member.invite': { pt: 'Convidou uma pessoa', en: 'Invited a member' },
  'member.revoke_invitation': { pt: 'Cancelou um convite', en: 'Cancelled an invitation' },
  'member.join': { pt: 'Aceitou um convite', en: 'Accepted an invitation' },
  'member.create': { pt: 'Criou a conta de uma pessoa', en: 'Created an account' },
  'member.set_role': { pt: 'Editou a função de uma pessoa', en: 'Changed the role of a member' },
  'member.set_alerts': { pt: 'Escolheu os alertas por e-mail', en: 'Chose alerts by e-mail' },
  'member.remove': { pt: 'Removeu uma pessoa', en: 'Removed a member' },
  'session.sign_in': { pt: 'Entrou', en: 'Signed in' },
  'session.sign_in_failed': { pt: 'Falha ao entrar', en: 'Failed sign-in' },
  'session.end': { pt: 'Encerrou uma sessão', en: 'Ended a session' },
  'session.end_others': { pt: 'Encerrou as suas outras sessões', en: 'Ended their other sessions' },
  'session.end_all': { pt: 'Encerrou todas as suas sessões', en: 'Ended all of their sessions' },
  'user.change_password': { pt: 'Alterou a própria senha', en: 'Changed their password' },
  'user.request_password_link': {
    pt: 'Pediu um link de redefinição de senha na página de entrada',
    en: 'Asked for a password link on the sign-in page',
  },
  'user.reset_password': { pt: 'Gerou um link de redefinição de senha', en: 'Issued a password reset link' },
  'user.enable_second_factor': {
    pt: 'Ativou a verificação em duas etapas',
    en: 'Enabled two-step verification',
  },
  'user.disable_second_factor': {
    pt: 'Desativou a verificação em duas etapas',
    en: 'Disabled two-step verification',
  },
  'user.replace_backup_codes': { pt: 'Gerou novos códigos de reserva', en: 'Generated new backup codes' },
  'user.reset_second_factor': {
    pt: 'Desativou a verificação em duas etapas de uma pessoa',
    en: 'Disabled two-step verification for a member',
  },
  'approval.request': { pt: 'Solicitou aprovação', en: 'Requested approval' },
  'approval.approve': { pt: 'Aprovou uma solicitação', en: 'Approved a request' },
  'approval.reject': { pt: 'Recusou uma solicitação', en: 'Rejected a request' },
  'approval.withdraw': { pt: 'Cancelou uma solicitação', en: 'Withdrew a request' },
  'approval.fail': {
    pt: 'Aprovou uma solicitação que não pôde ser aplicada',
    en: 'Approved a request that could not be applied',
  },
  'organization.rename': { pt: 'Renomeou a organização', en: 'Renamed the organization' },
  'organization.update_settings': {
    pt: 'Editou as regras da organização',
    en: 'Edited the organization rules',
  },
  'organization.update_profile': {
    pt: 'Editou cor ou fuso horário da organização',
    en: 'Changed the color or time zone of the organization',
  },
  'organization.set_logo': {
    pt: 'Enviou o logotipo da organização',
    en: 'Uploaded the logo of the organization',
  },
  'organization.remove_logo': {
    pt: 'Removeu o logotipo da organização',
    en: 'Removed the logo of the organization',
  },
  'restore.check': {
    pt: 'Recuperou cobranças perdidas após restaurar um backup',
    en: 'Recovered lost payments after restoring a backup',
  },
  'audit.export': { pt: 'Exportou a auditoria', en: 'Exported the audit log' },
};

export const groupWords: Record<AuditGroup, LocalizedText> = {
  payments: { pt: 'Cobranças e pagamentos', en: 'Payments' },
  payers: { pt: 'Dados de pagadores', en: 'Payer data' },
  books: { pt: 'Conciliação', en: 'Reconciliation' },
  credentials: { pt: 'Credenciais', en: 'Credentials' },
  rules: { pt: 'Regras de roteamento', en: 'Routing rules' },
  webhooks: { pt: 'Webhooks', en: 'Webhooks' },
  keys: { pt: 'Chaves de API', en: 'API keys' },
  people: { pt: 'Pessoas', en: 'People' },
  access: { pt: 'Acessos e senhas', en: 'Sign-ins and passwords' },
  approvals: { pt: 'Aprovações', en: 'Approvals' },
  organization: { pt: 'Organização', en: 'Organization' },
};

export const nobodyWords: Record<Nobody, LocalizedText> = {
  operator: { pt: 'Operador do serviço', en: 'Service operator' },
  unknown: { pt: 'Desconhecido', en: 'Unknown' },
};

const known: readonly string[] = Object.values(auditActions).flat();

const isKnown = (action: string): action is AuditAction => known.includes(action);

/** An action of another release, which has no words here, is called by its name. */
export const wordsOfAction = (action: string, language: Language): string =>
  isKnown(action) ? actionWords[action][language] : action;

interface Acting {
  actor: string;
  userId: string | null;
  apiKeyId: string | null;
}

const isNobody = ({ actor, userId, apiKeyId }: Acting): boolean =>
  userId === null && apiKeyId === null && actor in nobodyWords;

export const wordsOfActor = (entry: Acting, language: Language): string =>
  isNobody(entry) ? nobodyWords[entry.actor as Nobody][language] : entry.actor;
