import { Anchor, Group, Paper, Title } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useTexts } from '../../../base/language.tsx';
import { useServiceQuery } from '../../../base/use-service.ts';
import { paymentBatchDocument, whileProcessing } from '../../../parts/instalments/documents.ts';
import { InstalmentStrip } from '../../../parts/instalments/instalment-strip.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';

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
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Anchor component={Link} href={`/payments/batches/${batchId}`} size="sm">
          {text.all}
        </Anchor>
      </Group>
      <InstalmentStrip items={batch.items} currentId={paymentId} />
    </Paper>
  );
}
