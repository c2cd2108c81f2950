import { isPseudonym } from '../../../core/privacy/rules/pseudonym.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { forgetPersonDocument, type Payment } from './base/documents.ts';

const messages = texts(
  {
    forget: 'Anonimizar pagador',
    what: 'Nome, CPF ou CNPJ, e-mail e telefone desta pessoa são substituídos por um pseudônimo em todas as cobranças da organização, de teste e de produção, e no que foi guardado sobre elas: eventos, notificações e respostas.',
    stays: 'Valores, datas e IDs do Pix permanecem. Isso não pode ser desfeito.',
    elsewhere: 'Bancos, PSPs e sistemas que já receberam os dados continuam com eles.',
    requested: 'Os dados do pagador estão sendo substituídos.',
  },
  {
    forget: 'Forget this person',
    what: "A pseudonym replaces this person's name, CPF or CNPJ, e-mail and phone number in all payments of the organization, test and live, and in what is stored about them: events, notifications and responses.",
    stays: 'Amounts, times and Pix IDs stay. This cannot be undone.',
    elsewhere: 'Banks, PSPs and systems that have received the data keep it.',
    requested: "The payer's data is being replaced.",
  },
);

const canBeForgotten = ({ status, payerName, payerDocument, payerEmail, payerAddress }: Payment): boolean =>
  status !== 'pending' &&
  (payerDocument ? !isPseudonym(payerDocument) : Boolean(payerName ?? payerEmail ?? payerAddress));

/** Owners see it on a payment that is over and has a payer. */
export function ForgetButton({ payment }: { payment: Payment }) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const forget = useServiceMutation(forgetPersonDocument, text.requested);
  if (!may('payers:forget') || !canBeForgotten(payment)) return null;
  const confirm = (close: () => void) => {
    forget.mutate({ paymentId: payment.id }, { onSuccess: close });
  };
  return (
    <ConfirmButton label={text.forget} color="red" size="compact-xs" mutation={forget} onConfirm={confirm}>
      <p>{text.what}</p>
      <p>{text.stays}</p>
      <p>{text.elsewhere}</p>
    </ConfirmButton>
  );
}
