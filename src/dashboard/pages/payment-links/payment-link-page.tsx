import { Grid, Paper } from '@mantine/core';
import { useParams } from 'wouter';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation, useServicePages, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { usePaymentColumns } from '../payments/payment-columns.tsx';
import {
  deactivatePaymentLinkDocument,
  linkPaymentsDocument,
  paymentLinkDocument,
  type WholePaymentLink,
} from './documents.ts';
import { LinkAddress } from './link-address.tsx';
import { LinkDetails } from './link-details.tsx';
import { LinkStatus } from './link-status.tsx';
import { useLinkTexts } from './use-link-texts.ts';

const messages = texts(
  {
    title: 'Link de pagamento',
    back: 'Links de pagamento',
    deactivate: 'Desativar',
    aboutDeactivating:
      'Ninguém mais poderá pagar por este link, e isso não pode ser desfeito. As cobranças pendentes ainda podem ser pagas até expirarem; cancele-as uma a uma se for preciso.',
    payments: 'Pagamentos',
    caption: 'Pagamentos deste link, do mais novo ao mais antigo',
    none: 'Nenhum pagamento ainda',
    noneAbout: 'Cada pessoa que abre o link e segue para o pagamento aparece aqui.',
  },
  {
    title: 'Payment link',
    back: 'Payment links',
    deactivate: 'Deactivate',
    aboutDeactivating:
      'Nobody will be able to pay by this link any more, and this cannot be undone. Pending payments can still be paid until they expire; cancel them one by one if you need to.',
    payments: 'Payments',
    caption: 'Payments of this link, newest first',
    none: 'No payments yet',
    noneAbout: 'Everybody who opens the link and goes on to pay appears here.',
  },
);

const refetchIntervalMs = 3_000;

function Deactivate({ id }: { id: string }) {
  const text = useTexts(messages);
  const deactivate = useServiceMutation(deactivatePaymentLinkDocument);
  return (
    <ConfirmButton
      label={text.deactivate}
      color="red"
      mutation={deactivate}
      onConfirm={(close) => {
        deactivate.mutate({ id }, { onSuccess: close });
      }}
    >
      {text.aboutDeactivating}
    </ConfirmButton>
  );
}

function LinkPayments({ id }: { id: string }) {
  const text = useTexts(messages);
  const columns = usePaymentColumns({});
  const pages = useServicePages(
    linkPaymentsDocument,
    { id },
    ({ paymentLinkPayments }) => paymentLinkPayments,
    { refetchIntervalMs: () => refetchIntervalMs },
  );
  return (
    <QueryResult result={pages}>
      {(payments) => (
        <DataTable
          caption={text.caption}
          columns={columns}
          rows={payments}
          keyOf={(payment) => payment.id}
          isLinked
          empty={<EmptyState title={text.none}>{text.noneAbout}</EmptyState>}
          pages={pages}
        />
      )}
    </QueryResult>
  );
}

function LinkView({ link }: { link: WholePaymentLink }) {
  const text = useTexts(messages);
  const { nameOf } = useLinkTexts();
  const { may } = useWorkplace();
  const isActive = link.status === 'active';
  return (
    <Page
      title={nameOf(link)}
      mark={<LinkStatus status={link.status} />}
      back={{ to: '/payment-links', label: text.back }}
      actions={isActive && may('payment-links:manage') && <Deactivate id={link.id} />}
    >
      <Grid gap="lg">
        {isActive && (
          <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
            <Paper withBorder p="lg">
              <LinkAddress url={link.url} />
            </Paper>
          </Grid.Col>
        )}
        <Grid.Col span={{ base: 12, md: isActive ? 7 : 12 }} order={{ base: 2, md: 1 }}>
          <Paper withBorder p="lg">
            <LinkDetails link={link} />
          </Paper>
        </Grid.Col>
      </Grid>
      <Section title={text.payments}>
        <LinkPayments id={link.id} />
      </Section>
    </Page>
  );
}

export default function PaymentLinkPage() {
  const text = useTexts(messages);
  const { id } = useParams<{ id: string }>();
  const { data, error } = useServiceQuery(paymentLinkDocument, { id }, { refetchIntervalMs });
  if (data?.paymentLink) return <LinkView link={data.paymentLink} />;
  return (
    <Page title={text.title} back={{ to: '/payment-links', label: text.back }}>
      {error ? <ErrorAlert error={error} /> : <Loading />}
    </Page>
  );
}
