import { texts } from '../../base/language.tsx';

export const credentialTexts = texts(
  {
    title: 'Credenciais',
    about: 'Contas da organização em provedores Pix. Cada cobrança de produção é criada em uma delas.',
    testTitle: 'O modo de teste não precisa de credenciais',
    testAbout:
      'Cobranças de teste são criadas no sandbox embutido, sem chamar nenhum provedor. As credenciais são as mesmas nos dois modos: em teste, definem apenas o roteamento e os dados exigidos do pagador.',
    readOnly: 'Somente proprietários e desenvolvedores adicionam e editam credenciais.',
    add: 'Adicionar credencial',
    never: 'Ainda não testada com os dados atuais.',
    checked: (at: string, isOk: boolean) =>
      isOk ? `Testada em ${at}: o provedor aceita a credencial.` : `Testada em ${at}.`,
    enabled: 'Ativa',
    failing: 'Com falhas',
    incomplete: 'Incompleta',
    missing: (label: string) =>
      `Falta: ${label}. Até lá, as notificações não provam nada, e os pagamentos são encontrados por consulta ao provedor. Informe em “Cadastrar webhook”.`,
    fallback: (place: number) => `Contingência ${place}`,
    disabled: 'Desativada',
    archived: 'Arquivada',
    showArchived: (count: number) => `Mostrar arquivadas (${count})`,
    hideArchived: 'Ocultar arquivadas',
    calls: 'Chamadas dos últimos 7 dias',
    fees: (fees: string) => `Tarifas por Pix: ${fees}`,
    isDefault: 'Padrão',
    notificationUrl: 'URL de notificação',
    notificationAbouts: {
      api: 'Use “Cadastrar webhook” para que o provedor a notifique.',
      panel: 'Cadastre-a no painel do provedor para receber as notificações de pagamento.',
      per_charge: 'É enviada com cada cobrança: não há o que cadastrar.',
    },
    check: 'Testar',
    makeDefault: 'Tornar padrão',
    makeDefaultAbout: (before: string | undefined) =>
      `Novas cobranças sem regra passam a ser criadas nesta conta${before ? `, e não mais em ${before}` : ''}.`,
    madeDefault: 'Credencial padrão alterada.',
    enable: 'Ativar',
    enableDone: 'Credencial ativada.',
    disable: 'Desativar',
    disableDone: 'Credencial desativada.',
    disableAbout:
      'Novas cobranças deixam de ser criadas nesta conta. As existentes ainda podem ser pagas e continuam sendo acompanhadas. Você pode reativá-la a qualquer momento.',
    disableDefault: 'Ela é a padrão: sem outra, cobranças sem regra serão recusadas.',
    none: 'Nenhuma credencial ainda',
    noneAbout: 'Adicione a conta do seu provedor para criar cobranças reais.',
  },
  {
    title: 'Credentials',
    about: 'Accounts of the organization at Pix providers. Every live payment is created at one of them.',
    testTitle: 'Test mode needs no credentials',
    testAbout:
      'Test payments are created in the built-in sandbox; no provider is called. Both modes share credentials: in test mode they only determine routing and which payer details are required.',
    readOnly: 'Only owners and developers can add and edit credentials.',
    add: 'Add credential',
    never: 'Not checked with the present settings yet.',
    checked: (at: string, isOk: boolean) =>
      isOk ? `Checked on ${at}: the provider accepts the credential.` : `Checked on ${at}.`,
    enabled: 'Enabled',
    failing: 'Failing',
    incomplete: 'Incomplete',
    missing: (label) =>
      `Missing: ${label}. Until then notifications prove nothing, and payments are found by asking the provider. Give it under “Register webhook”.`,
    fallback: (place) => `Fallback ${place}`,
    disabled: 'Disabled',
    archived: 'Archived',
    showArchived: (count: number) => `Show archived (${count})`,
    hideArchived: 'Hide archived',
    calls: 'Calls of the last 7 days',
    fees: (fees: string) => `Fees per Pix: ${fees}`,
    isDefault: 'Default',
    notificationUrl: 'Notification URL',
    notificationAbouts: {
      api: 'Use “Register webhook” to have the provider notify it.',
      panel: "Paste it into your provider's dashboard.",
      per_charge: 'It is sent with each charge: there is nothing to register.',
    },
    check: 'Check',
    makeDefault: 'Make default',
    makeDefaultAbout: (before) =>
      `New payments without a rule will be created at this account${before ? `, and no longer at ${before}` : ''}.`,
    madeDefault: 'Default credential changed.',
    enable: 'Enable',
    enableDone: 'Credential enabled.',
    disable: 'Disable',
    disableDone: 'Credential disabled.',
    disableAbout:
      'New payments are no longer created at this account. Existing ones can still be paid and are still tracked. You can enable it again at any time.',
    disableDefault: 'It is the default: unless you choose another, payments without a rule will be refused.',
    none: 'No credentials yet',
    noneAbout: 'Add your provider account to create real payments.',
  },
);
