import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import type { DueFormProps } from './due-form.tsx';

const DueForm = lazy(() => import('./due-form.tsx'));

const messages = texts(
  { open: 'Com vencimento', title: 'Cobrança de teste com vencimento', create: 'Criar cobrança de teste' },
  { open: 'With a due date', title: 'Test payment with a due date', create: 'Create test payment' },
);

export function DueButton({ input }: Pick<DueFormProps, 'input'>) {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        {text.open}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text.title} size="lg">
        <Suspense fallback={<Loading />}>
          <DueForm submit={text.create} input={input} close={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
