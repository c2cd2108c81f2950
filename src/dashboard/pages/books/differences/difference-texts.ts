import { type Texts, texts } from '../../../base/language.tsx';
import type { DifferenceKind, Resolution } from '../base/documents.ts';

interface KindTexts {
  title: string;
  /** What the difference is, and what to do about it. */
  about: string;
}

export const kindTexts: Texts<Record<DifferenceKind, KindTexts>> = texts(
  {
    unmatched_pix: {
      title: 'Pix sem pagamento',
      about:
        'O dinheiro entrou sem uma cobrança, como quando alguém paga direto na chave. Atribua-o a um pagamento, devolva-o no aplicativo do banco ou explique de onde veio.',
    },
    missing_pix: {
      title: 'Pix não consta no extrato',
      about: 'O pagamento está como pago, mas o banco não lista o Pix. Consulte o banco antes de resolver.',
    },
    amount_differs: {
      title: 'Valor diferente',
      about: 'O Pix tem outro valor que o pagamento, e não o confirma. Devolva-o no aplicativo do banco.',
    },
    unknown_reversal: {
      title: 'Devolução divergente',
      about: 'O banco e o serviço não concordam sobre quanto deste Pix já saiu. Consulte o banco.',
    },
    late: {
      title: 'Pago fora do prazo',
      about:
        'O Pix chegou depois que a cobrança expirou ou foi cancelada. Entregue o pedido ou faça o estorno.',
    },
    unreadable: {
      title: 'Item ilegível no extrato',
      about:
        'O provedor listou algo que não pôde ser lido, e as somas não o incluem. Confira no aplicativo do banco.',
    },
    fee_differs: {
      title: 'Tarifa diferente',
      about:
        'O provedor cobrou por este Pix outra tarifa que a informada na credencial. Confira o contrato com o provedor, ou corrija as tarifas da credencial.',
    },
    duplicate: {
      title: 'Pix em duplicidade',
      about: 'Mais um Pix para um pagamento que já estava pago. Devolva-o no aplicativo do banco.',
    },
  },
  {
    unmatched_pix: {
      title: 'Pix without a payment',
      about:
        'Money arrived without a charge, as when somebody pays the key directly. Assign it to a payment, return it in the bank’s app, or explain where it came from.',
    },
    missing_pix: {
      title: 'Pix not on the statement',
      about:
        'The payment is recorded as paid, but the bank lists no such Pix. Ask the bank before you settle it.',
    },
    amount_differs: {
      title: 'Different amount',
      about:
        'The Pix has another amount than the payment, and does not confirm it. Return it in the bank’s app.',
    },
    unknown_reversal: {
      title: 'Return differs',
      about: 'The bank and the service disagree about how much of this Pix has left again. Ask the bank.',
    },
    late: {
      title: 'Paid late',
      about:
        'The Pix arrived after the charge had expired or been cancelled. Deliver the order or refund it.',
    },
    unreadable: {
      title: 'Unreadable statement item',
      about:
        'The provider listed something that could not be read, and the sums leave it out. Check the bank’s app.',
    },
    fee_differs: {
      title: 'Different fee',
      about:
        'The provider charged another fee for this Pix than the one given at the credential. Check your contract with the provider, or correct the fees of the credential.',
    },
    duplicate: {
      title: 'Duplicate Pix',
      about: 'A further Pix for a payment that was already paid. Return it in the bank’s app.',
    },
  },
);

interface ResolutionTexts {
  label: string;
  about: string;
  done: string;
}

export const resolutionTexts: Texts<Record<Resolution, ResolutionTexts>> = texts(
  {
    explained: {
      label: 'Explicar',
      about: 'O motivo basta: por exemplo, um aluguel recebido na mesma chave.',
      done: 'Explicada',
    },
    assigned: {
      label: 'Atribuir a um pagamento',
      about:
        'O pagamento não muda de status, nenhum webhook é enviado e o Pix não pode ser estornado por ele.',
      done: 'Atribuída a um pagamento',
    },
    given_back: {
      label: 'Já foi devolvido',
      about: 'Só é necessário quando o extrato do provedor não mostra a devolução.',
      done: 'Devolvido',
    },
    matched: {
      label: 'Pagamento encontrado',
      about: 'O serviço encontrou o pagamento deste Pix.',
      done: 'Pagamento encontrado',
    },
  },
  {
    explained: {
      label: 'Explain it',
      about: 'The reason is enough: for example, rent received on the same key.',
      done: 'Explained',
    },
    assigned: {
      label: 'Assign it to a payment',
      about: 'The payment keeps its status, no webhook is sent, and the Pix cannot be refunded through it.',
      done: 'Assigned to a payment',
    },
    given_back: {
      label: 'It was refunded',
      about: 'Only needed where the provider’s statement does not show the return.',
      done: 'Refunded',
    },
    matched: {
      label: 'Payment found',
      about: 'The service has found the payment of this Pix.',
      done: 'Payment found',
    },
  },
);
