import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { QueryResult } from '../../../ui/query-result.tsx';
import { texts, useTexts } from '../../../base/language.tsx';
import { useServiceRead } from '../../../base/use-service.ts';
import { refundsDocument, type RefundSnapshot } from '../base/documents.ts';

const RefundForm = lazy(() => import('./refund-form.tsx'));

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

interface RefundButtonProps extends Pick<ButtonProps, 'size'> {
  paymentId: string;
  /** Once it is not, a dialog that is open stays. */
  isRefundable?: boolean;
  /** Tells screen readers which it is, where several rows have such a button. */
  subject?: string;
}

export function RefundButton({ paymentId, isRefundable = true, subject, ...button }: RefundButtonProps) {
  const text = useTexts(messages);
  const { snapshot, refetch, reload } = useRefundSnapshot(paymentId);
  const [isOpen, { open, close }] = useDisclosure(false, { onOpen: reload });
  return (
    <>
      {isRefundable && (
        <Button
          variant="default"
          {...button}
          onClick={open}
          {...(subject && { 'aria-label': `${text.refund}: ${subject}` })}
        >
          {text.refund}
        </Button>
      )}
      <Dialog opened={isOpen} onClose={close} title={text.title}>
        <QueryResult result={{ data: snapshot.data, error: snapshot.error, refetch }}>
          {(loaded) => (
            <Suspense fallback={<Loading />}>
              <RefundForm snapshot={loaded} refetch={refetch} close={close} />
            </Suspense>
          )}
        </QueryResult>
      </Dialog>
    </>
  );
}
