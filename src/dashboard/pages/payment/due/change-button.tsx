import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import type { DuePayment } from './change-form.tsx';

const ChangeForm = lazy(() => import('./change-form.tsx'));

const messages = texts({ edit: 'Editar cobrança' }, { edit: 'Edit payment' });

/** The dialog stays open when the payment ends, so that nobody loses what they have typed without a word. */
export function ChangeButton({ payment }: { payment: DuePayment }) {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      {payment.status === 'pending' && (
        <Button variant="default" onClick={open}>
          {text.edit}
        </Button>
      )}
      <Dialog opened={isOpen} onClose={close} title={text.edit}>
        <Suspense fallback={<Loading />}>
          <ChangeForm payment={payment} close={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
