import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useTexts } from '../../../base/language.tsx';
import { useServiceQuery } from '../../../base/use-service.ts';
import { paymentBatchDocument, whileProcessing } from '../../../parts/instalments/documents.ts';
import { InstalmentStrip } from '../../../parts/instalments/instalment-strip.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { BorderedSection } from '../../../ui/page.tsx';

const messages = texts(
  {
    of: (number: number, count: number) => `Parcela ${number} de ${count}`,
    all: 'Ver carnê',
  },
  {
    of: (number: number, count: number) => `Instalment ${number} of ${count}`,
    all: 'View all instalments',
  },
);

/** Shows the payment among the instalments that were made with it. Renders nothing for a payment that is none. */
export function Instalments({ batchId, paymentId }: { batchId: string; paymentId: string }) {
  const text = useTexts(messages);
  const { data, error, refetch } = useServiceQuery(
    paymentBatchDocument,
    { id: batchId },
    { refetchIntervalMs: whileProcessing },
  );
  const batch = data?.paymentBatch;
  if (!batch) return <ErrorAlert error={error} retry={() => void refetch()} />;
  const item = batch.items.find((each) => each.paymentId === paymentId);
  if (batch.every === null || !item) return null;
  const title = text.of(item.position + 1, batch.count);
  return (
    <BorderedSection
      title={title}
      aside={
        <Anchor component={Link} href={`/payments/batches/${batchId}`} size="sm">
          {text.all}
        </Anchor>
      }
    >
      <InstalmentStrip items={batch.items} currentId={paymentId} />
    </BorderedSection>
  );
}
