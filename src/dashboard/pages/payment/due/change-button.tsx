import { lazy } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { DialogButton } from '../../../ui/dialog.tsx';
import type { DuePayment } from './change-form.tsx';

const ChangeForm = lazy(() => import('./change-form.tsx'));

const messages = texts({ edit: 'Editar cobrança' }, { edit: 'Edit payment' });

export function ChangeButton({ payment }: { payment: DuePayment }) {
  const text = useTexts(messages);
  return (
    <DialogButton label={text.edit} hasButton={payment.status === 'pending'}>
      {(close) => <ChangeForm payment={payment} close={close} />}
    </DialogButton>
  );
}
