import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ResultOf } from '../../api/graphql.ts';
import { unusableReason } from '../../../core/routing/rules/routing.ts';
import { CopyIcon } from '../../ui/copying/copy-button.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useLiveRefresh, useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { CheckResult } from '../credentials/check-result.tsx';
import { checkCredentialDocument } from '../credentials/base/documents.ts';
import { RegisterWebhook } from '../credentials/register-webhook.tsx';
import { paymentsUpdatedDocument } from '../payments/documents.ts';
import { goLiveDocument } from './documents.ts';
import { commandOf } from './payment-step.tsx';
import { Step } from './step.tsx';
import classes from './step.module.css';

const messages = texts(
  {
    credential: 'Adicione a conta do banco',
    credentialAbout: 'As cobranças de produção são criadas nesta conta.',
    credentials: 'Abrir credenciais',
    check: 'Teste a conta',
    checkAbout: 'Certificado, autenticação e consulta são testados no banco; nada é cobrado.',
    runCheck: 'Testar agora',
    notified: 'Cadastre o webhook no banco',
    notifiedAbout: 'O banco avisa dos pagamentos na hora. Sem ele, são encontrados em alguns minutos.',
    endpoint: 'Informe onde seu sistema recebe eventos',
    endpointAbout: 'Cada evento chega assinado ao seu servidor.',
    webhooks: 'Abrir webhooks',
    key: 'Crie uma chave de produção',
    keyAbout: 'Somente proprietários criam chaves de produção. Guarde-a como um segredo.',
    keys: 'Abrir chaves de API',
    pay: 'Receba o primeiro pagamento real',
    payAbout: (amount: string) =>
      `Crie uma cobrança de ${amount} com a chave, abra-a em Pagamentos e pague com o seu banco.`,
    yourKey: 'SUA_CHAVE_DE_PRODUÇÃO',
    command: 'Comando',
    payments: 'Abrir pagamentos',
    done: 'Tudo pronto: esta organização recebe pagamentos reais.',
  },
  {
    credential: 'Add your bank account',
    credentialAbout: 'Live payments are created at this account.',
    credentials: 'Open credentials',
    check: 'Check the account',
    checkAbout: 'Certificate, sign-in and lookup are tried at the bank; nothing is charged.',
    runCheck: 'Check now',
    notified: 'Register the webhook at the bank',
    notifiedAbout: 'The bank reports payments at once. Without it they are found within minutes.',
    endpoint: 'Say where your system receives events',
    endpointAbout: 'Each event arrives signed at your server.',
    webhooks: 'Open webhooks',
    key: 'Create a live key',
    keyAbout: 'Only owners create live keys. Keep it like a password.',
    keys: 'Open API keys',
    pay: 'Receive the first real payment',
    payAbout: (amount: string) =>
      `Create a payment of ${amount} with the key, open it in Payments and pay it with your bank.`,
    yourKey: 'YOUR_LIVE_KEY',
    command: 'Command',
    payments: 'Open payments',
    done: 'All set: this organization receives real payments.',
  },
);

type Read = ResultOf<typeof goLiveDocument>;
type Credential = Read['credentials'][number];

const smallestAmount = 0.01;

/** Takes the credential that payments go to by the default rule or as the default, or else the newest. */
const accountOf = ({
  credentials,
  ruleSets,
}: Pick<Read, 'credentials' | 'ruleSets'>): Credential | undefined => {
  const usable = credentials.filter((each) => !unusableReason('live', each));
  const rules = ruleSets.find(({ isDefault }) => isDefault);
  const ruled = [
    rules?.defaultCredentialId ?? credentials.find(({ isDefault }) => isDefault)?.id,
    ...[...(rules?.ranges ?? []), ...(rules?.split ?? [])].map(({ credentialId }) => credentialId),
    ...(rules?.fallbackCredentialIds ?? []),
  ];
  const known = ruled.flatMap((id) => usable.find((each) => each.id === id) ?? []);
  return known[0] ?? usable.at(-1);
};

const hasPassed = (check: Credential['lastCheck'], isMeant: (stage: string) => boolean): boolean =>
  check?.stages.every(({ stage, outcome }) => !isMeant(stage) || outcome !== 'failed') ?? false;

const Open = ({ to, children }: { to: string; children: string }) => (
  <Group>
    <Button component={Link} href={to} variant="default">
      {children}
    </Button>
  </Group>
);

function CheckStep({ account, isDone }: { account: Credential | undefined; isDone: boolean }) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const check = useServiceMutation(checkCredentialDocument);
  return (
    <Step number={2} title={text.check} isDone={isDone}>
      <Text size="sm">{text.checkAbout}</Text>
      {account?.lastCheck && !isDone && <CheckResult check={account.lastCheck} />}
      {account && may('credentials:manage') && (
        <Group>
          <Button
            variant="default"
            loading={check.isPending}
            onClick={() => {
              check.mutate({ id: account.id });
            }}
          >
            {text.runCheck}
          </Button>
        </Group>
      )}
    </Step>
  );
}

function NotifiedStep({ account, isDone }: { account: Credential | undefined; isDone: boolean }) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const check = useServiceMutation(checkCredentialDocument);
  return (
    <Step number={3} title={text.notified} isDone={isDone}>
      <Text size="sm">{text.notifiedAbout}</Text>
      {account && may('credentials:manage') && (
        <Group>
          <RegisterWebhook
            size="sm"
            credential={account}
            onDone={() => {
              check.mutate({ id: account.id });
            }}
          />
        </Group>
      )}
    </Step>
  );
}

function PayStep({ account, isDone }: { account: Credential | undefined; isDone: boolean }) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const amount = Math.max(smallestAmount, account?.minimumAmount ?? 0);
  const command = commandOf(text.yourKey, amount);
  return (
    <Step number={6} title={text.pay} isDone={isDone}>
      <Text size="sm">{text.payAbout(money(amount))}</Text>
      {!isDone && (
        <Group gap={4} wrap="nowrap" align="flex-start">
          <Code block flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {command}
          </Code>
          <CopyIcon value={command} label={text.command} />
        </Group>
      )}
      <Open to="/payments">{text.payments}</Open>
    </Step>
  );
}

function Linked({ number, title, isDone, to, link, children }: LinkedProps) {
  return (
    <Step number={number} title={title} isDone={isDone}>
      <Text size="sm">{children}</Text>
      <Open to={to}>{link}</Open>
    </Step>
  );
}

interface LinkedProps {
  number: number;
  title: string;
  isDone: boolean;
  to: string;
  link: string;
  children: ReactNode;
}

function Steps({ credentials, ruleSets, webhookEndpoints, apiKeys, paid, refunded }: Read) {
  const text = useTexts(messages);
  const account = accountOf({ credentials, ruleSets });
  const check = account?.lastCheck ?? null;
  const isChecked = hasPassed(check, (stage) => stage !== 'webhook');
  const isNotified = isChecked && hasPassed(check, (stage) => stage === 'webhook');
  const hasKey = apiKeys.some(({ mode, revokedAt }) => mode === 'live' && !revokedAt);
  const hasEndpoint = webhookEndpoints.some(({ enabled }) => enabled);
  const hasPaid = paid.edges.length + refunded.edges.length > 0;
  const isAll = !!account && isNotified && hasEndpoint && hasKey && hasPaid;
  return (
    <Stack>
      {isAll && <Text fw={600}>{text.done}</Text>}
      <ol className={classes.steps}>
        <Linked
          number={1}
          title={text.credential}
          isDone={!!account}
          to="/credentials"
          link={text.credentials}
        >
          {text.credentialAbout}
        </Linked>
        <CheckStep account={account} isDone={isChecked} />
        <NotifiedStep account={account} isDone={isNotified} />
        <Linked number={4} title={text.endpoint} isDone={hasEndpoint} to="/webhooks" link={text.webhooks}>
          {text.endpointAbout}
        </Linked>
        <Linked number={5} title={text.key} isDone={hasKey} to="/api-keys" link={text.keys}>
          {text.keyAbout}
        </Linked>
        <PayStep account={account} isDone={hasPaid} />
      </ol>
    </Stack>
  );
}

/** Leads from nothing to the first real payment, in live mode. */
export function GoLive() {
  const result = useServiceQuery(goLiveDocument, {});
  useLiveRefresh(paymentsUpdatedDocument, {});
  return <QueryResult result={result}>{(read) => <Steps {...read} />}</QueryResult>;
}
