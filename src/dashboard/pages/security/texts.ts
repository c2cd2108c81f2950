import { texts } from '../../base/language.tsx';

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const securityTexts = texts(
  {
    title: 'Segurança',
    about: 'Quem e o que tem acesso a esta organização. Chaves, aprovações e webhooks são os de produção.',
    ownersOnly: 'Somente proprietários veem esta página.',
    states: { fine: 'Em ordem', review: 'Confira', info: 'Informação' },
    people: 'Pessoas',
    keys: 'Chaves e webhooks',
    control: 'Controle',
    more: (count: number) => `e mais ${count}`,
    never: 'nunca',
    required: (roles: string) => `Verificação em duas etapas obrigatória para: ${roles}`,
    notRequired: 'Verificação em duas etapas não é obrigatória',
    requirement: 'Editar exigência',
    allTwoStep: 'Todas as pessoas ativaram a verificação em duas etapas',
    withoutTwoStep: (count: number) =>
      `${counted(count, 'pessoa', 'pessoas')} sem verificação em duas etapas`,
    allTwoStepHere: 'Todas as pessoas com senha ativaram a verificação em duas etapas',
    provided: (count: number) =>
      count === 1
        ? '1 pessoa entra somente pelo provedor de identidade: exija a segunda etapa nele'
        : `${count} pessoas entram somente pelo provedor de identidade: exija a segunda etapa nele`,
    allActive: (days: number) => `Todas as pessoas acessaram nos últimos ${days} dias`,
    idle: (count: number, days: number) =>
      `${counted(count, 'pessoa', 'pessoas')} sem acesso há mais de ${days} dias`,
    toPeople: 'Ver pessoas',
    lastSignIns: 'Últimos acessos',
    toSignIns: 'Ver acessos',
    sessions: (count: number) => `Sua conta está conectada em ${counted(count, 'navegador', 'navegadores')}`,
    toSessions: 'Ver sessões',
    noKeys: 'Nenhuma chave de produção ativa',
    allUsed: (days: number) => `Nenhuma chave sem uso há mais de ${days} dias`,
    unused: (count: number, days: number) =>
      `${counted(count, 'chave', 'chaves')} sem uso há mais de ${days} dias`,
    allLimited: 'Todas as chaves funcionam apenas de IPs permitidos',
    unlimited: (count: number) =>
      count === 1 ? '1 chave funciona de qualquer IP' : `${count} chaves funcionam de qualquer IP`,
    toKeys: 'Ver chaves',
    noRotation: 'Nenhum segredo de webhook em rotação',
    rotation: (count: number) =>
      count === 1
        ? '1 webhook ainda assina também com o segredo anterior'
        : `${count} webhooks ainda assinam também com o segredo anterior`,
    until: (name: string, instant: string) => `${name} (até ${instant})`,
    toWebhooks: 'Ver webhooks',
    changesApproved: 'Alterações de credenciais, regras e webhooks exigem aprovação',
    changesAlone: 'Alterações de credenciais, regras e webhooks não exigem aprovação',
    refundsApproved: (amount: string) => `Estornos acima de ${amount} exigem aprovação`,
    refundsAlone: 'Nenhum estorno exige aprovação',
    toApprovals: 'Editar regras',
    recorded: 'O que pessoas, chaves e operadores fazem fica registrado',
    toAudit: 'Abrir auditoria',
  },
  {
    title: 'Security',
    about:
      'Who and what has access to this organization. Keys, approvals and webhooks are those of live mode.',
    ownersOnly: 'Only owners can see this page.',
    states: { fine: 'OK', review: 'Review', info: 'Information' },
    people: 'People',
    keys: 'Keys and webhooks',
    control: 'Control',
    more: (count) => `and ${count} more`,
    never: 'never',
    required: (roles) => `Two-step verification is required for: ${roles}`,
    notRequired: 'Two-step verification is not required',
    requirement: 'Change requirement',
    allTwoStep: 'Everyone has two-step verification on',
    withoutTwoStep: (count) => `${counted(count, 'person', 'people')} without two-step verification`,
    allTwoStepHere: 'Everyone with a password has two-step verification on',
    provided: (count) =>
      count === 1
        ? '1 person signs in with the identity provider only: require the second step there'
        : `${count} people sign in with the identity provider only: require the second step there`,
    allActive: (days) => `Everyone signed in during the last ${days} days`,
    idle: (count, days) => `${counted(count, 'person', 'people')} not signed in for more than ${days} days`,
    toPeople: 'See people',
    lastSignIns: 'Last sign-ins',
    toSignIns: 'See sign-ins',
    sessions: (count) => `Your account is signed in on ${counted(count, 'browser', 'browsers')}`,
    toSessions: 'See sessions',
    noKeys: 'No active live keys',
    allUsed: (days) => `No key unused for more than ${days} days`,
    unused: (count, days) => `${counted(count, 'key', 'keys')} unused for more than ${days} days`,
    allLimited: 'Every key works from allowed IPs only',
    unlimited: (count) => (count === 1 ? '1 key works from any IP' : `${count} keys work from any IP`),
    toKeys: 'See keys',
    noRotation: 'No webhook secret is being rotated',
    rotation: (count) =>
      count === 1
        ? '1 webhook still signs with the previous secret too'
        : `${count} webhooks still sign with the previous secret too`,
    until: (name, instant) => `${name} (until ${instant})`,
    toWebhooks: 'See webhooks',
    changesApproved: 'Changes to credentials, routing rules and webhooks require approval',
    changesAlone: 'Changes to credentials, routing rules and webhooks require no approval',
    refundsApproved: (amount) => `Refunds above ${amount} require approval`,
    refundsAlone: 'No refund requires approval',
    toApprovals: 'Change rules',
    recorded: 'What people, keys and operators do is recorded',
    toAudit: 'Open audit log',
  },
);
