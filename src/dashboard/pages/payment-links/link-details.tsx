import { Title } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { Copied, Fact, Facts } from '../../parts/facts.tsx';
import { routesDocument, type WholePaymentLink } from './documents.ts';
import { LinkDueFacts } from './link-due-facts.tsx';
import { useLinkTexts } from './use-link-texts.ts';

const messages = texts(
  {
    title: 'Detalhes',
    id: 'ID',
    amount: 'Valor',
    description: 'Descrição',
    uses: 'Uso',
    payments: 'Pagamentos',
    received: 'Valor pago',
    atLeast: (amount: string) => `${amount} ou mais`,
    expires: 'Expira em',
    created: 'Criado em',
    returnUrl: 'URL de retorno',
    ruleSet: 'Regra de roteamento',
    credential: 'Credencial',
  },
  {
    title: 'Details',
    id: 'ID',
    amount: 'Amount',
    description: 'Description',
    uses: 'Use',
    payments: 'Payments',
    received: 'Amount paid',
    atLeast: (amount: string) => `${amount} or more`,
    expires: 'Expires',
    created: 'Created',
    returnUrl: 'Return URL',
    ruleSet: 'Routing rules',
    credential: 'Credential',
  },
);

function RouteFact({ credentialId, ruleSetId }: Pick<WholePaymentLink, 'credentialId' | 'ruleSetId'>) {
  const text = useTexts(messages);
  const isRouted = credentialId !== null || ruleSetId !== null;
  const { data } = useServiceQuery(routesDocument, {}, { enabled: isRouted });
  const nameOf = (some: { id: string; name: string }[] | undefined, id: string) =>
    some?.find((each) => each.id === id)?.name ?? id;
  if (credentialId !== null)
    return <Fact name={text.credential}>{nameOf(data?.credentials, credentialId)}</Fact>;
  return ruleSetId !== null && <Fact name={text.ruleSet}>{nameOf(data?.ruleSets, ruleSetId)}</Fact>;
}

export function LinkDetails({ link }: { link: WholePaymentLink }) {
  const text = useTexts(messages);
  const { money, dateTime } = useFormats();
  const { amountOf, usesOf, expiryOf, paidOf } = useLinkTexts();
  const { amountPaid, isAtLeast } = link.totals;
  const paid = money(amountPaid);
  return (
    <>
      <Title order={2} size="h4" mb="sm">
        {text.title}
      </Title>
      <Facts>
        <Fact name={text.amount}>{amountOf(link)}</Fact>
        {link.description !== null && <Fact name={text.description}>{link.description}</Fact>}
        <Fact name={text.payments}>{paidOf(link)}</Fact>
        <Fact name={text.received}>{isAtLeast ? text.atLeast(paid) : paid}</Fact>
        <Fact name={text.uses}>{usesOf(link)}</Fact>
        <Fact name={text.expires}>{expiryOf(link)}</Fact>
        <Fact name={text.created}>{dateTime(link.createdAt)}</Fact>
        {link.returnUrl !== null && <Fact name={text.returnUrl}>{link.returnUrl}</Fact>}
        <LinkDueFacts link={link} />
        <RouteFact {...link} />
        <Copied name={text.id} value={link.id} />
      </Facts>
    </>
  );
}
