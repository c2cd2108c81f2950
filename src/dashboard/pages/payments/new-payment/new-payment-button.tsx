import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';

/** Brings the rules of the service along, by which it is checked. */
const NewPaymentForm = lazy(() => import('./new-payment-form.tsx'));

const messages = texts({ open: 'Nova cobrança' }, { open: 'New payment' });

export function NewPaymentButton() {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
        {text.open}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text.open}>
        <Suspense fallback={<Loading />}>
          <NewPaymentForm close={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
