import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loaded } from '../../../ui/error-alert.tsx';
import { texts, useTexts } from '../../../shell/language.tsx';
import { useServiceRead } from '../../../shell/use-service.ts';
import { type PaymentDetail, refundsDocument, type SeenRefunds } from '../documents.ts';
import { RefundForm } from './refund-form.tsx';
import { refundSumsOf } from './refund-sums.ts';

const said = texts(
  { refund: 'Estornar', title: 'Estornar pagamento' },
  { refund: 'Refund', title: 'Refund payment' },
);

interface Looked {
  data?: SeenRefunds;
  error?: unknown;
}

/** What a person decides upon is read anew, and does not change under their hands. */
function useSeenRefunds(id: string) {
  const read = useServiceRead(refundsDocument);
  const [looked, setLooked] = useState<Looked>({});
  const look = async () => {
    try {
      const { paymentDetail } = await read({ id });
      setLooked(paymentDetail ? { data: paymentDetail } : {});
    } catch (error) {
      setLooked({ error });
    }
  };
  return {
    looked,
    look: () => void look(),
    lookAnew: () => {
      setLooked({});
      void look();
    },
  };
}

/** Gives back the whole amount or a part of it. */
export function RefundButton({ detail: { payment, refunds } }: { detail: PaymentDetail }) {
  const text = useTexts(said);
  const { looked, look, lookAnew } = useSeenRefunds(payment.id);
  const [isOpen, { open, close }] = useDisclosure(false, { onOpen: lookAnew });
  const isRefundable = payment.status === 'completed' && refundSumsOf({ payment, refunds }).left > 0;
  return (
    <>
      {isRefundable && (
        <Button variant="default" onClick={open}>
          {text.refund}
        </Button>
      )}
      <Dialog opened={isOpen} onClose={close} title={text.title}>
        <Loaded result={{ data: looked.data, error: looked.error, refetch: look }}>
          {(seen) => <RefundForm seen={seen} look={look} close={close} />}
        </Loaded>
      </Dialog>
    </>
  );
}
