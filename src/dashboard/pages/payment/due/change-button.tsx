import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { texts, useTexts } from '../../../base/language.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ChangeForm, type DuePayment } from './change-form.tsx';

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
        <ChangeForm payment={payment} close={close} />
      </Dialog>
    </>
  );
}
