import { type Payment, type PaymentStatus, shownAmount } from './payment.ts';

export type ShownState = PaymentStatus | 'loading' | 'creating' | 'late' | 'refused';

interface Texts {
  states: Record<ShownState, { title: string; advice: string }>;
  label: string;
  timeLeft: string;
  qrCode: string;
  code: string;
  copy: string;
  copied: string;
  copyFailed: string;
  offline: string;
  due: (day: string) => string;
  dueAdjusted: (day: string, adjusted: string) => string;
  wasDue: (day: string) => string;
  next: (until: string, amount: string, then: string) => string;
  lastDay: (day: string) => string;
  estimate: string;
}

const portuguese: Texts = {
  states: {
    loading: { title: 'Carregando o Pix', advice: '' },
    creating: { title: 'Gerando o Pix', advice: 'Isso leva poucos segundos.' },
    pending: { title: 'Pague com Pix', advice: 'Escaneie o QR code ou copie o código.' },
    completed: { title: 'Pagamento confirmado', advice: 'Obrigado!' },
    late: {
      title: 'Pagamento recebido fora do prazo',
      advice: 'Fale com a loja se tiver dúvida sobre o pedido.',
    },
    expired: {
      title: 'O prazo terminou',
      advice: 'Não pague mais este código. Se você acabou de pagar, a confirmação aparece aqui.',
    },
    cancelled: {
      title: 'Cobrança cancelada',
      advice: 'Não pague mais este código. Em caso de dúvida, fale com a loja.',
    },
    refunded: {
      title: 'Pagamento devolvido',
      advice: 'O valor voltou para a conta de onde o Pix saiu.',
    },
    failed: { title: 'Não foi possível gerar o Pix', advice: 'Nada foi cobrado. Tente de novo.' },
    refused: {
      title: 'Não foi possível mostrar este Pix',
      advice: 'Se você já pagou, o pagamento não se perde. Em caso de dúvida, fale com a loja.',
    },
  },
  label: 'Pagamento por Pix',
  timeLeft: 'Tempo restante: ',
  qrCode: 'QR code do Pix',
  code: 'Pix copia e cola',
  copy: 'Copiar código',
  copied: 'Código copiado',
  copyFailed: 'Não foi possível copiar: selecione o código e copie.',
  offline: 'Sem conexão. O código continua valendo; a situação é atualizada assim que a internet voltar.',
  due: (day) => `Vencimento: ${day}`,
  dueAdjusted: (day, adjusted) => `Vencimento: ${day}, prorrogado para ${adjusted} (dia útil)`,
  wasDue: (day) => `Venceu em ${day}`,
  next: (until, amount, then) => `Até ${until}:\u00a0${amount} · depois:\u00a0${then}`,
  lastDay: (day) => `Último dia para pagar: ${day}`,
  estimate: 'Valor estimado para hoje. O valor final é o que o seu banco mostrar.',
};

const english: Texts = {
  states: {
    loading: { title: 'Loading the Pix', advice: '' },
    creating: { title: 'Creating the Pix', advice: 'This takes a few seconds.' },
    pending: { title: 'Pay with Pix', advice: 'Scan the QR code or copy the code.' },
    completed: { title: 'Payment confirmed', advice: 'Thank you!' },
    late: {
      title: 'Payment received late',
      advice: 'Contact the shop if you have a question about the order.',
    },
    expired: {
      title: 'Time is up',
      advice: 'Do not pay this code any more. If you have just paid, the confirmation appears here.',
    },
    cancelled: {
      title: 'Payment cancelled',
      advice: 'Do not pay this code any more. If in doubt, contact the shop.',
    },
    refunded: {
      title: 'Payment refunded',
      advice: 'The money went back to the account that the Pix came from.',
    },
    failed: { title: 'The Pix could not be created', advice: 'Nothing was charged. Try again.' },
    refused: {
      title: 'This Pix cannot be shown',
      advice: 'If you have paid, the payment is not lost. If in doubt, contact the shop.',
    },
  },
  label: 'Payment with Pix',
  timeLeft: 'Time left: ',
  qrCode: 'Pix QR code',
  code: 'Pix code',
  copy: 'Copy code',
  copied: 'Code copied',
  copyFailed: 'Could not copy: select the code and copy it.',
  offline: 'No connection. The code is still valid; the status updates as soon as you are back online.',
  due: (day) => `Due on ${day}`,
  dueAdjusted: (day, adjusted) => `Due on ${day}, moved to ${adjusted} (business day)`,
  wasDue: (day) => `Was due on ${day}`,
  next: (until, amount, then) => `Until ${until}:\u00a0${amount} · then:\u00a0${then}`,
  lastDay: (day) => `Last day to pay: ${day}`,
  estimate: 'An estimate for today. The final amount is the one that your bank shows.',
};

export interface Language {
  texts: Texts;
  amountText: (amount: number) => string;
  dayText: (day: string) => string;
}

const createLanguage = (tag: string, texts: Texts, dateStyle: 'short' | 'medium'): Language => {
  const currency = new Intl.NumberFormat(tag, { style: 'currency', currency: 'BRL' });
  const days = new Intl.DateTimeFormat(tag, { dateStyle, timeZone: 'UTC' });
  return {
    texts,
    amountText: (amount) => currency.format(amount),
    dayText: (day) => days.format(new Date(day)),
  };
};

const languages = {
  pt: createLanguage('pt-BR', portuguese, 'short'),
  en: createLanguage('en', english, 'medium'),
};

/** Portuguese is for whoever does not ask for English. */
export const languageOf = (tag: string | undefined): Language =>
  /^en\b/i.test(tag ?? '') ? languages.en : languages.pt;

export function stateOf(payment: Payment | undefined, isRefused: boolean): ShownState {
  if (isRefused) return 'refused';
  if (!payment) return 'loading';
  const { status, confirmedAt, expiresAt, pixCopyPaste } = payment;
  if (status === 'pending') return pixCopyPaste ? 'pending' : 'creating';
  const isLate = status === 'completed' && confirmedAt && Date.parse(confirmedAt) > Date.parse(expiresAt);
  return isLate ? 'late' : status;
}

/** What to know of a due date while it can be paid. Days are named, as the device's clock may not be the service's. */
export function dueLines(payment: Payment, { texts, amountText, dayText }: Language): string[] {
  const { due, overdue } = payment;
  if (payment.status !== 'pending' || !due) return [];
  const { next } = due;
  const day = dayText(due.date);
  const adjusted = due.adjustedDate === due.date ? undefined : dayText(due.adjustedDate);
  return [
    overdue ? texts.wasDue(day) : adjusted ? texts.dueAdjusted(day, adjusted) : texts.due(day),
    ...(next
      ? [texts.next(dayText(next.until), amountText(shownAmount(payment)), amountText(next.amount))]
      : []),
    texts.lastDay(dayText(due.lastPayableOn)),
  ];
}

export function clockText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const [first, ...others] = [...(hours > 0 ? [hours] : []), minutes, seconds % 60];
  return [first, ...others.map((part) => String(part).padStart(2, '0'))].join(':');
}
