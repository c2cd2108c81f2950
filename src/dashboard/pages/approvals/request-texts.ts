import type { ApprovableAction, ApprovalStatus } from '../../../domain/people/approval.ts';
import { texts } from '../../shell/language.tsx';

/** What is asked for, as a heading. */
export const requestTexts = texts<Record<ApprovableAction, string>>(
  {
    'credential.create': 'Adicionar credencial padrão',
    'credential.update': 'Editar configurações de uma credencial',
    'credential.enable': 'Ativar credencial',
    'credential.set_default': 'Definir outra credencial padrão',
    'rule_set.create': 'Criar regra de roteamento',
    'rule_set.update': 'Editar regra de roteamento',
    'webhook_endpoint.create': 'Criar endpoint de webhook de produção',
    'webhook_endpoint.update': 'Editar URL de um endpoint de webhook de produção',
    'webhook_endpoint.enable': 'Ativar endpoint de webhook de produção',
    'member.invite': 'Convidar pessoa',
    'member.set_role': 'Ampliar permissões de uma pessoa',
    'payment.refund': 'Estornar pagamento',
    'organization.update_settings': 'Afrouxar regras da organização',
  },
  {
    'credential.create': 'Add default credential',
    'credential.update': 'Edit credential settings',
    'credential.enable': 'Enable credential',
    'credential.set_default': 'Change default credential',
    'rule_set.create': 'Create routing rule',
    'rule_set.update': 'Edit routing rule',
    'webhook_endpoint.create': 'Create live webhook endpoint',
    'webhook_endpoint.update': 'Edit URL of a live webhook endpoint',
    'webhook_endpoint.enable': 'Enable live webhook endpoint',
    'member.invite': 'Invite person',
    'member.set_role': 'Grant a person more permissions',
    'payment.refund': 'Refund payment',
    'organization.update_settings': 'Relax organization rules',
  },
);

export const approvalStatusTexts = texts<Record<ApprovalStatus, string>>(
  {
    pending: 'Pendente',
    approved: 'Aprovada',
    rejected: 'Recusada',
    withdrawn: 'Cancelada',
    expired: 'Expirada',
    failed: 'Falhou',
  },
  {
    pending: 'Pending',
    approved: 'Approved',
    rejected: 'Rejected',
    withdrawn: 'Withdrawn',
    expired: 'Expired',
    failed: 'Failed',
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
    settings: 'Configurações alteradas',
    default: 'Credencial padrão',
    url: 'URL',
    events: 'Eventos',
    ranges: 'Faixas',
    defaultCredentialId: 'Padrão (fora das faixas)',
    fallbackCredentialIds: 'Contingência',
    amount: 'Valor do estorno',
    paymentAmount: 'Valor do pagamento',
    changesNeedApproval: 'Aprovação para alterações',
    refundApprovalAbove: 'Aprovação para estornos acima de',
    refundLimits: 'Limites diários de estorno',
    secondFactorRoles: 'Verificação em duas etapas obrigatória para',
  },
  {
    name: 'Name',
    email: 'E-mail',
    role: 'Role',
    provider: 'Provider',
    enabled: 'Enabled',
    settings: 'Changed settings',
    default: 'Default credential',
    url: 'URL',
    events: 'Events',
    ranges: 'Ranges',
    defaultCredentialId: 'Default (no range matches)',
    fallbackCredentialIds: 'Fallbacks',
    amount: 'Refund amount',
    paymentAmount: 'Payment amount',
    changesNeedApproval: 'Approval for changes',
    refundApprovalAbove: 'Approval for refunds above',
    refundLimits: 'Daily refund limits',
    secondFactorRoles: 'Two-step verification required for',
  },
);
