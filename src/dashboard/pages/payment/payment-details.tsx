import { Anchor, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { documentText, parseDocument } from '../../../core/payments/rules/document.ts';
import { phoneText } from '../../../core/base/typed.ts';
import { addressLineOf } from '../../../core/payments/rules/address.ts';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { PaymentDetail } from './base/documents.ts';
import { Copied, Fact, Facts } from '../../parts/facts.tsx';
import { CopyForSupport } from './copy-for-support.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import { EditDetails } from './details/edit-details.tsx';
import { ForgetButton } from './forget-button.tsx';
import classes from './payment-details.module.css';

const messages = texts(
  {
    title: 'Detalhes',
    id: 'ID',
    reference: 'Referência',
    invoice: 'Chave da nota fiscal',
    description: 'Descrição',
    link: 'Link de pagamento',
    openLink: 'Ver o link',
    batch: 'Lote',
    openBatch: 'Ver o lote',
    payer: 'Pagador',
    document: 'CPF ou CNPJ',
    others: 'Todos os pagamentos deste pagador',
    email: 'E-mail',
    phone: 'Telefone',
    address: 'Endereço',
    transaction: 'ID da transação (txid)',
    providerReference: 'Referência no provedor',
    provider: 'Provedor',
    created: 'Criado em',
    expires: 'Expira em',
    confirmed: 'Pago em',
    cancelled: 'Cancelado em',
    mode: 'Modo',
    test: 'Teste: nenhum dinheiro é movimentado',
    live: 'Produção',
    metadata: 'Metadados',
  },
  {
    title: 'Details',
    id: 'ID',
    reference: 'Reference',
    invoice: 'Invoice access key',
    description: 'Description',
    link: 'Payment link',
    openLink: 'View link',
    batch: 'Batch',
    openBatch: 'View batch',
    payer: 'Payer',
    document: 'CPF or CNPJ',
    others: 'All payments of this payer',
    email: 'E-mail',
    phone: 'Phone',
    address: 'Address',
    transaction: 'Transaction ID (txid)',
    providerReference: 'Provider reference',
    provider: 'Provider',
    created: 'Created',
    expires: 'Expires',
    confirmed: 'Paid',
    cancelled: 'Cancelled',
    mode: 'Mode',
    test: 'Test: no money moves',
    live: 'Live',
    metadata: 'Metadata',
  },
);

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

export function PaymentDetails({
  detail: { payment, payerPhone, paymentLinkId, batchId, attempts },
}: {
  detail: PaymentDetail;
}) {
  const text = useTexts(messages);
  const providerName = useProviderName();
  const formats = useFormats();
  const { may } = useWorkplace();
  const charged = attempts.find(({ result }) => result === 'created');
  // Payments from an earlier release do not have it.
  const txid = payment.txid ?? charged?.transactionId;
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h4" mb="sm">
        {text.title}
      </Title>
      <Facts>
        <Copied name={text.id} value={payment.id} />
        {payment.externalId && <Copied name={text.reference} value={payment.externalId} />}
        {payment.fiscalDocument && <Copied name={text.invoice} value={payment.fiscalDocument} />}
        {payment.description && <Fact name={text.description}>{payment.description}</Fact>}
        {paymentLinkId !== null && (
          <Fact name={text.link}>
            <Anchor component={Link} href={`/payment-links/${paymentLinkId}`} size="sm">
              {payment.description ?? text.openLink}
            </Anchor>
          </Fact>
        )}
        {batchId !== null && (
          <Fact name={text.batch}>
            <Anchor component={Link} href={`/payments/batches/${batchId}`} size="sm">
              {text.openBatch}
            </Anchor>
          </Fact>
        )}
        {payment.payerName && <Fact name={text.payer}>{payment.payerName}</Fact>}
        {payment.payerDocument && (
          <Fact name={text.document}>
            {documentText(payment.payerDocument)}
            {parseDocument(payment.payerDocument) && (
              <Anchor
                component={Link}
                href={`/payments?search=${payment.payerDocument}`}
                size="sm"
                display="block"
              >
                {text.others}
              </Anchor>
            )}
          </Fact>
        )}
        {payment.payerEmail && <Fact name={text.email}>{payment.payerEmail}</Fact>}
        {payerPhone && <Fact name={text.phone}>{phoneText(payerPhone)}</Fact>}
        {payment.payerAddress && <Fact name={text.address}>{addressLineOf(payment.payerAddress)}</Fact>}
        <Fact name={text.provider}>{providerName(payment.provider)}</Fact>
        {txid && <Copied name={text.transaction} value={txid} />}
        {charged?.pspReference && charged.pspReference !== txid && (
          <Copied name={text.providerReference} value={charged.pspReference} />
        )}
        <Fact name={text.created}>{formats.dateTime(payment.createdAt)}</Fact>
        {!payment.due && !payment.debit && (
          <Fact name={text.expires}>{formats.dateTime(payment.expiresAt)}</Fact>
        )}
        {payment.confirmedAt && <Fact name={text.confirmed}>{formats.dateTime(payment.confirmedAt)}</Fact>}
        {payment.cancelledAt && <Fact name={text.cancelled}>{formats.dateTime(payment.cancelledAt)}</Fact>}
        <Fact name={text.mode}>{payment.isTest ? text.test : text.live}</Fact>
      </Facts>
      {payment.metadata && <Metadata metadata={payment.metadata} />}
      <Group mt="sm" gap="xs">
        {txid && <CopyForSupport payment={payment} txid={txid} />}
        {may('payments:update') && <EditDetails payment={payment} />}
        <ForgetButton payment={payment} />
      </Group>
    </Paper>
  );
}
