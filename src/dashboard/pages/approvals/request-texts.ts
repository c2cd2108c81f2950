import type { ApprovableAction, ApprovalStatus } from '../../../domain/people/approval.ts';
import { texts } from '../../shell/language.tsx';

/** What is asked for, as a heading. */
export const requestTexts = texts<Record<ApprovableAction, string>>(
  {
    'credential.create': 'Adicionar uma credencial como padrão',
    'credential.update': 'Editar as configurações de uma credencial',
    'credential.enable': 'Ativar uma credencial',
    'credential.set_default': 'Trocar a credencial padrão',
    'rule_set.create': 'Criar uma regra de roteamento',
    'rule_set.update': 'Editar uma regra de roteamento',
    'webhook_endpoint.create': 'Criar um endpoint de webhook de produção',
    'webhook_endpoint.update': 'Editar a URL de um endpoint de webhook',
    'webhook_endpoint.enable': 'Ativar um endpoint de webhook de produção',
    'member.invite': 'Convidar uma pessoa',
    'member.set_role': 'Dar mais permissões a uma pessoa',
    'payment.refund': 'Estornar um pagamento',
    'organization.update_settings': 'Afrouxar as regras da organização',
  },
  {
    'credential.create': 'Add a credential as the default',
    'credential.update': 'Change the settings of a credential',
    'credential.enable': 'Enable a credential',
    'credential.set_default': 'Change the default credential',
    'rule_set.create': 'Create a rule set',
    'rule_set.update': 'Change a rule set',
    'webhook_endpoint.create': 'Create a live webhook endpoint',
    'webhook_endpoint.update': 'Change the URL of a live webhook endpoint',
    'webhook_endpoint.enable': 'Enable a live webhook endpoint',
    'member.invite': 'Invite a person',
    'member.set_role': 'Let a person do more',
    'payment.refund': 'Refund a payment',
    'organization.update_settings': 'Loosen the rules of the organization',
  },
);

export const approvalStatusTexts = texts<Record<ApprovalStatus, string>>(
  {
    pending: 'Pendente',
    approved: 'Aprovada',
    rejected: 'Recusada',
    withdrawn: 'Retirada',
    expired: 'Expirada',
    failed: 'Não foi possível',
  },
  {
    pending: 'Waiting',
    approved: 'Approved',
    rejected: 'Rejected',
    withdrawn: 'Withdrawn',
    expired: 'Expired',
    failed: 'Not possible any more',
  },
);

/** The names of what a change says of a thing; others are shown as they are. */
export const memberTexts = texts<Readonly<Record<string, string>>>(
  {
    name: 'Nome',
    email: 'E-mail',
    role: 'Função',
    provider: 'Provedor',
    enabled: 'Ativa',
    settings: 'Configurações que mudam',
    default: 'Credencial padrão',
    url: 'URL',
    events: 'Eventos',
    ranges: 'Faixas',
    defaultCredentialId: 'Padrão (fora das faixas)',
    fallbackCredentialIds: 'Contingência',
    amount: 'Valor do estorno',
    paymentAmount: 'Valor do pagamento',
    changesNeedApproval: 'Alterações precisam de aprovação',
    refundApprovalAbove: 'Aprovação de estornos acima de',
    refundLimits: 'Limites de estorno por dia',
    secondFactorRoles: 'Verificação em duas etapas obrigatória para',
  },
  {
    name: 'Name',
    email: 'E-mail',
    role: 'Role',
    provider: 'Provider',
    enabled: 'Enabled',
    settings: 'Settings that change',
    default: 'Default credential',
    url: 'URL',
    events: 'Events',
    ranges: 'Ranges',
    defaultCredentialId: 'Default (no range matches)',
    fallbackCredentialIds: 'Fallbacks',
    amount: 'Amount of the refund',
    paymentAmount: 'Amount of the payment',
    changesNeedApproval: 'Changes need approval',
    refundApprovalAbove: 'Refunds need approval above',
    refundLimits: 'Refund limits per day',
    secondFactorRoles: 'Two-step verification required of',
  },
);
