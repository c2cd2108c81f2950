import { Alert, Group } from '@mantine/core';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { Textarea } from '../../ui/inputs/fields.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { DialogButton } from '../../ui/dialog.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { notify, notifyFailure, useServiceMutation } from '../../base/use-service.ts';
import { approveDocument, type ApprovalRequest, rejectDocument, withdrawDocument } from './documents.ts';
import { useFailureText } from './failure-text.ts';

const messages = texts(
  {
    approve: 'Aprovar',
    approveAbout:
      'A alteração é aplicada agora, exatamente como aparece aqui, e fica registrada na auditoria em seu nome.',
    refundAbout: (amount: string) =>
      `O estorno de ${amount} é enviado ao provedor agora e fica registrado na auditoria em seu nome. Não pode ser desfeito.`,
    endAbout:
      'A recorrência é cancelada no provedor agora, e o cancelamento fica registrado na auditoria em seu nome. Não pode ser desfeito: para cobrar de novo, será preciso outra autorização do pagador.',
    approved: 'Solicitação aprovada e aplicada.',
    reject: 'Recusar',
    reason: 'Motivo',
    reasonAbout: 'Visível para quem solicitou.',
    rejected: 'Solicitação recusada.',
    withdraw: 'Cancelar solicitação',
    withdrawAbout: 'A solicitação deixa de valer. Você pode solicitar novamente depois.',
    withdrawn: 'Solicitação cancelada.',
    failed: 'Não foi possível aplicar:',
    own: 'Você fez esta solicitação: outra pessoa precisa aprovar.',
  },
  {
    approve: 'Approve',
    approveAbout:
      'The change is applied now, exactly as shown here, and recorded in the audit log under your name.',
    refundAbout: (amount) =>
      `The refund of ${amount} is sent to the provider now and recorded in the audit log under your name. It cannot be undone.`,
    endAbout:
      'The recurrence is cancelled at the provider now, and recorded in the audit log under your name. It cannot be undone: to charge again, another authorization of the payer is needed.',
    approved: 'Request approved and applied.',
    reject: 'Reject',
    reason: 'Reason',
    reasonAbout: 'Visible to the requester.',
    rejected: 'Request rejected.',
    withdraw: 'Withdraw',
    withdrawAbout: 'The request is discarded. You can submit it again later.',
    withdrawn: 'Request withdrawn.',
    failed: 'Could not be applied:',
    own: 'You made this request: someone else must approve it.',
  },
);

interface Subject {
  request: ApprovalRequest;
  /** Distinguishes buttons with the same label for screen readers. */
  title: string;
}

function ApproveButton({ request, title, onSecret }: Subject & { onSecret: (secret: string) => void }) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const failureText = useFailureText();
  const { amount } = request.after as { amount?: number };
  const isRefund = request.action === 'payment.refund' && amount !== undefined;
  const about = request.action === 'recurrence.cancel' ? text.endAbout : text.approveAbout;
  const approve = useServiceMutation(approveDocument);
  const send = (close: () => void) => {
    approve.mutate(
      { id: request.id },
      {
        onSuccess: ({ approveRequest: { secret, request: decided } }) => {
          close();
          if (decided.status === 'failed')
            notifyFailure(`${text.failed} ${decided.failure ? failureText(decided.failure) : ''}`.trim());
          else notify(text.approved);
          if (secret) onSecret(secret);
        },
      },
    );
  };
  return (
    <ConfirmButton label={text.approve} subject={title} variant="filled" mutation={approve} onConfirm={send}>
      {isRefund ? text.refundAbout(money(amount)) : about}
    </ConfirmButton>
  );
}

function RejectForm({ request, close }: { request: ApprovalRequest; close: () => void }) {
  const text = useTexts(messages);
  const [reason, setReason] = useState('');
  const reject = useServiceMutation(rejectDocument, text.rejected);
  const fieldError = useFieldErrors(reject.error);
  const send = () => {
    reject.mutate({ id: request.id, reason: reason.trim() }, { onSuccess: close });
  };
  return (
    <DialogForm
      submit={text.reject}
      mutation={reject}
      onSubmit={send}
      onCancel={close}
      isDisabled={!reason.trim()}
      fields={['reason']}
    >
      <Textarea
        label={text.reason}
        description={text.reasonAbout}
        required
        data-autofocus
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        error={fieldError('reason')}
        onChange={(event) => {
          setReason(event.currentTarget.value);
        }}
      />
    </DialogForm>
  );
}

function RejectButton({ request, title }: Subject) {
  const text = useTexts(messages);
  return (
    <DialogButton label={text.reject} subject={title} size="xs">
      {(close) => <RejectForm request={request} close={close} />}
    </DialogButton>
  );
}

function WithdrawButton({ request, title }: Subject) {
  const text = useTexts(messages);
  const withdraw = useServiceMutation(withdrawDocument, text.withdrawn);
  return (
    <ConfirmButton
      label={text.withdraw}
      subject={title}
      mutation={withdraw}
      onConfirm={(close) => {
        withdraw.mutate({ id: request.id }, { onSuccess: close });
      }}
    >
      {text.withdrawAbout}
    </ConfirmButton>
  );
}

export function Decisions({ request, title, onSecret }: Subject & { onSecret: (secret: string) => void }) {
  const text = useTexts(messages);
  return (
    <>
      {request.mayDecide && (
        <Group gap="xs">
          <ApproveButton request={request} title={title} onSecret={onSecret} />
          <RejectButton request={request} title={title} />
        </Group>
      )}
      {request.mayWithdraw && (
        <Group gap="xs">
          <Alert color="gray" p="xs" icon={<Info size={16} />}>
            {text.own}
          </Alert>
          <WithdrawButton request={request} title={title} />
        </Group>
      )}
    </>
  );
}
