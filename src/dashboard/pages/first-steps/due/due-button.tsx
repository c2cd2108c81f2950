import { lazy } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { DialogButton } from '../../../ui/dialog.tsx';
import type { DueFormProps } from './due-form.tsx';

const DueForm = lazy(() => import('./due-form.tsx'));

const messages = texts(
  { open: 'Com vencimento', title: 'Cobrança de teste com vencimento', create: 'Criar cobrança de teste' },
  { open: 'With a due date', title: 'Test payment with a due date', create: 'Create test payment' },
);

export function DueButton({ input }: Pick<DueFormProps, 'input'>) {
  const text = useTexts(messages);
  return (
    <DialogButton label={text.open} title={text.title} dialog={{ size: 'lg' }}>
      {(close) => <DueForm submit={text.create} input={input} close={close} />}
    </DialogButton>
  );
}
