import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { QueryResult } from '../../../ui/query-result.tsx';
import { texts, useTexts } from '../../../base/language.tsx';
import { useServiceRead } from '../../../base/use-service.ts';
import { type PaymentDetail, refundsDocument, type RefundSnapshot } from '../base/documents.ts';
import { RefundForm } from './refund-form.tsx';
import { refundSumsOf } from './refund-sums.ts';

const messages = texts(
  { refund: 'Estornar', title: 'Estornar pagamento' },
  { refund: 'Refund', title: 'Refund payment' },
);

interface SnapshotState {
  data?: RefundSnapshot;
  error?: unknown;
}

/** Fetched when the dialog opens and then frozen, so that it does not change while the person decides. */
function useRefundSnapshot(id: string) {
  const read = useServiceRead(refundsDocument);
  const [snapshot, setSnapshot] = useState<SnapshotState>({});
  const refetch = async () => {
    try {
      const { paymentDetail } = await read({ id });
      setSnapshot(paymentDetail ? { data: paymentDetail } : {});
    } catch (error) {
      setSnapshot({ error });
    }
  };
  return {
    snapshot,
    refetch: () => void refetch(),
    reload: () => {
      setSnapshot({});
      void refetch();
    },
  };
}

export function RefundButton({ detail: { payment, refunds, reversals } }: { detail: PaymentDetail }) {
  const text = useTexts(messages);
  const { snapshot, refetch, reload } = useRefundSnapshot(payment.id);
  const [isOpen, { open, close }] = useDisclosure(false, { onOpen: reload });
  const isRefundable =
    payment.status === 'completed' && refundSumsOf({ payment, refunds, reversals }).left > 0;
  return (
    <>
      {isRefundable && (
        <Button variant="default" onClick={open}>
          {text.refund}
        </Button>
      )}
      <Dialog opened={isOpen} onClose={close} title={text.title}>
        <QueryResult result={{ data: snapshot.data, error: snapshot.error, refetch }}>
          {(loaded) => <RefundForm snapshot={loaded} refetch={refetch} close={close} />}
        </QueryResult>
      </Dialog>
    </>
  );
}
