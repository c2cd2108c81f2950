import { type ButtonProps } from '@mantine/core';
import { lazy, useState } from 'react';
import { DialogButton } from '../../../ui/dialog.tsx';
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
  return (
    <DialogButton
      label={text.refund}
      subject={subject}
      title={text.title}
      hasButton={isRefundable}
      onOpen={reload}
      {...button}
    >
      {(close) => (
        <QueryResult result={{ data: snapshot.data, error: snapshot.error, refetch }}>
          {(loaded) => <RefundForm snapshot={loaded} refetch={refetch} close={close} />}
        </QueryResult>
      )}
    </DialogButton>
  );
}
