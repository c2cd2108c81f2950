import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { lazy, useState } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

/** Brings the rules of the service along, by which it is checked. */
const NewPaymentForm = lazy(() => import('./new-payment-form.tsx'));

const messages = texts({ open: 'Nova cobrança' }, { open: 'New payment' });

export function NewPaymentButton() {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <Button
        leftSection={<Plus size={16} aria-hidden />}
        onClick={() => {
          setWasOpened(true);
          open();
        }}
      >
        {text.open}
      </Button>
      {/* What was sent without an answer is sent again as it was, also after the dialog was closed: it may have been made. */}
      <Dialog opened={isOpen} onClose={close} title={text.open} keepMounted>
        {wasOpened && <NewPaymentForm close={close} />}
      </Dialog>
    </>
  );
}
