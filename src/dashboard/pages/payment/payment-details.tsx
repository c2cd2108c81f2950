import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyIcon } from '../../ui/copying/copy-button.tsx';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import type { Payment } from './documents.ts';
import { ForgetButton } from './forget-button.tsx';
import classes from './payment-details.module.css';

const messages = texts(
  {
    title: 'Detalhes',
    id: 'ID',
    reference: 'Referência',
    description: 'Descrição',
    payer: 'Pagador',
    document: 'CPF ou CNPJ',
    email: 'E-mail',
    provider: 'Provedor',
    created: 'Criado em',
    expires: 'Expira em',
    confirmed: 'Pago em',
    endToEndId: 'ID do Pix (EndToEndId)',
    mode: 'Modo',
    test: 'Teste: nenhum dinheiro é movimentado',
    live: 'Produção',
    metadata: 'Metadados',
  },
  {
    title: 'Details',
    id: 'ID',
    reference: 'Reference',
    description: 'Description',
    payer: 'Payer',
    document: 'CPF or CNPJ',
    email: 'E-mail',
    provider: 'Provider',
    created: 'Created',
    expires: 'Expires',
    confirmed: 'Paid',
    endToEndId: 'End-to-end ID',
    mode: 'Mode',
    test: 'Test: no money moves',
    live: 'Live',
    metadata: 'Metadata',
  },
);

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Copied({ name, value }: { name: string; value: string }) {
  return (
    <Fact name={name}>
      <Group gap={4} wrap="nowrap">
        {value} <CopyIcon value={value} label={name} />
      </Group>
    </Fact>
  );
}

function Metadata({ metadata }: { metadata: Record<string, unknown> }) {
  const text = useTexts(messages);
  return (
    <Stack gap={4} mt="xs">
      <Text size="sm" c="dimmed">
        {text.metadata}
      </Text>
      <Code block className={classes.metadata}>
        {JSON.stringify(metadata, null, 2)}
      </Code>
    </Stack>
  );
}

export function PaymentDetails({ payment }: { payment: Payment }) {
  const text = useTexts(messages);
  const providerName = useProviderName();
  const formats = useFormats();
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h4" mb="sm">
        {text.title}
      </Title>
      <dl className={classes.facts}>
        <Copied name={text.id} value={payment.id} />
        {payment.externalId && <Copied name={text.reference} value={payment.externalId} />}
        {payment.description && <Fact name={text.description}>{payment.description}</Fact>}
        {payment.payerName && <Fact name={text.payer}>{payment.payerName}</Fact>}
        {payment.payerDocument && <Fact name={text.document}>{payment.payerDocument}</Fact>}
        {payment.payerEmail && <Fact name={text.email}>{payment.payerEmail}</Fact>}
        <Fact name={text.provider}>{providerName(payment.provider)}</Fact>
        <Fact name={text.created}>{formats.dateTime(payment.createdAt)}</Fact>
        <Fact name={text.expires}>{formats.dateTime(payment.expiresAt)}</Fact>
        {payment.confirmedAt && <Fact name={text.confirmed}>{formats.dateTime(payment.confirmedAt)}</Fact>}
        {payment.endToEndId && <Copied name={text.endToEndId} value={payment.endToEndId} />}
        <Fact name={text.mode}>{payment.isTest ? text.test : text.live}</Fact>
      </dl>
      {payment.metadata && <Metadata metadata={payment.metadata} />}
      <ForgetButton payment={payment} />
    </Paper>
  );
}
