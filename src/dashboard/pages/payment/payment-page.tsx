import { Button, Grid, Group, Paper, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { ServiceError } from '../../api/service-error.ts';
import { Page } from '../../ui/page.tsx';
import { PaymentCode } from '../../parts/payment-code.tsx';
import { PaymentStatus } from '../../parts/payment-status.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Loading } from '../../ui/loading.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useLiveRefresh, useServiceQuery } from '../../base/use-service.ts';
import {
  type Investigation,
  type PaymentDetail,
  paymentDetailDocument,
  paymentUpdatedDocument,
} from './base/documents.ts';
import { useListPath } from '../payments/list-path.ts';
import { refetchIntervalOf } from './timeline/timeline-events.ts';
import { AssignedPix } from './assigned-pix.tsx';
import { CheckoutAddress } from './checkout-address.tsx';
import { Claims } from './claims.tsx';
import { DebitSection } from './debit/debit-section.tsx';
import { DueDate } from './due/due-date.tsx';
import { Instalments } from './due/instalments.tsx';
import { Neighbours } from './neighbours.tsx';
import { PaymentActions } from './payment-actions.tsx';
import { PaymentDetails } from './payment-details.tsx';
import { PaymentSummary } from './payment-summary.tsx';
import { PaymentTimeline } from './timeline/payment-timeline.tsx';
import { PaymentWarnings } from './payment-warnings.tsx';
import { RefundMeter } from './refunds/refund-meter.tsx';
import { ReceivedPix } from './received-pix.tsx';

const messages = texts(
  {
    payment: 'Pagamento',
    payments: 'Pagamentos',
    notFound: 'Pagamento não encontrado',
    notFoundAbout: 'Verifique o endereço, a organização e o modo (teste ou produção).',
    toPayments: 'Ver pagamentos',
  },
  {
    payment: 'Payment',
    payments: 'Payments',
    notFound: 'Payment not found',
    notFoundAbout: 'Check the URL, the organization and the mode (test or live).',
    toPayments: 'View payments',
  },
);

function NotFound() {
  const text = useTexts(messages);
  return (
    <Paper withBorder>
      <EmptyState
        title={text.notFound}
        action={
          <Button component={Link} href="/payments">
            {text.toPayments}
          </Button>
        }
      >
        {text.notFoundAbout}
      </EmptyState>
    </Paper>
  );
}

interface PaymentViewProps {
  read: Investigation;
  detail: PaymentDetail;
  /** After a failed refetch the data may be stale. */
  failure: ReactNode;
}

function PaymentView({ read, detail, failure }: PaymentViewProps) {
  const text = useTexts(messages);
  const formats = useFormats();
  const listPath = useListPath();
  const { payment } = detail;
  return (
    <Page
      title={formats.money(payment.amountPaid ?? payment.amount)}
      mark={
        <Group gap="sm">
          <div aria-live="polite">
            <PaymentStatus {...payment} />
          </div>
          <RefundMeter detail={detail} />
        </Group>
      }
      back={{ to: listPath, label: text.payments }}
      aside={<Neighbours id={payment.id} />}
      about={<PaymentSummary detail={detail} />}
      actions={<PaymentActions detail={detail} />}
    >
      {failure}
      <PaymentWarnings detail={detail} />
      <AssignedPix assignedPix={detail.assignedPix} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
          <Stack gap="lg">
            {payment.status === 'pending' && payment.pixCopyPaste && (
              <Paper withBorder p="lg">
                <PaymentCode payment={payment} />
                <CheckoutAddress url={payment.checkoutUrl} />
              </Paper>
            )}
            {detail.batchId !== null && <Instalments batchId={detail.batchId} paymentId={payment.id} />}
            <DebitSection detail={detail} />
            <DueDate payment={payment} />
            <ReceivedPix {...detail} />
            <Claims {...detail} />
            <PaymentDetails detail={detail} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }} order={{ base: 2, md: 1 }}>
          <PaymentTimeline detail={detail} {...read} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

export default function PaymentPage() {
  const text = useTexts(messages);
  const listPath = useListPath();
  const { id } = useParams<{ id: string }>();
  const { data, error, refetch } = useServiceQuery(
    paymentDetailDocument,
    { id },
    { refetchIntervalMs: refetchIntervalOf },
  );
  useLiveRefresh(paymentUpdatedDocument, { id });
  const failure = <ErrorAlert error={error} retry={() => void refetch()} />;
  if (data?.paymentDetail) return <PaymentView read={data} detail={data.paymentDetail} failure={failure} />;
  const isMissing = error instanceof ServiceError && error.code === 'NOT_FOUND';
  return (
    <Page title={text.payment} back={{ to: listPath, label: text.payments }}>
      {!error && <Loading />}
      {isMissing ? <NotFound /> : failure}
    </Page>
  );
}
