import type { CalendarDay } from '../../core/base/time/calendar-day.ts';
import type { CheckoutState } from '../../core/checkout/checkout.ts';

export const languages = ['pt-BR', 'en'] as const;

export type Language = (typeof languages)[number];

interface Said {
  heading: string;
  /** What the state means for the payer, and what they can do. */
  advice: (shop: string) => string;
}

/** What an amount paid consists of, in the order in which it is told. */
export const partNames = ['original', 'rebate', 'discount', 'fine', 'interest'] as const;

export type PartName = (typeof partNames)[number];

export interface Texts {
  states: Record<CheckoutState, Said>;
  /** In place of `expired` where the payment link gives out another Pix. */
  expiredOfLink: Said;
  again: string;
  endToEndId: string;
  amount: string;
  partlyRefunded: (amount: string) => string;
  payUntil: (instant: string) => string;
  /** `{time}` is replaced in the browser. */
  timeLeft: string;
  paidAt: (instant: string) => string;
  estimate: string;
  dueOn: (day: string) => string;
  dueOnAdjusted: (day: string, adjusted: string) => string;
  wasDueOn: (day: string) => string;
  payableUntil: (day: string) => string;
  amountUntil: (day: string, amount: string, then: string) => string;
  amountToday: (amount: string, tomorrow: string) => string;
  parts: Record<PartName, string>;
  scan: string;
  qrCode: string;
  code: string;
  copy: string;
  copied: string;
  copyFailed: string;
  steps: readonly string[];
  updates: string;
  /** Is shown from 20:00 to 6:00. */
  atNight: string;
  refresh: string;
  back: (shop: string) => string;
  test: string;
  offline: string;
  notFound: Said;
  tooMany: Said;
  unavailable: Said;
}

/** Portuguese, unless the browser prefers English. */
export const texts: Record<Language, Texts> = {
  'pt-BR': {
    states: {
      creating: {
        heading: 'Gerando o Pix',
        advice: () => 'Isso leva poucos segundos.',
      },
      waiting: { heading: 'Pague com Pix', advice: () => 'Escaneie o QR code ou copie o código.' },
      paid: {
        heading: 'Pagamento confirmado',
        advice: (shop) => `Obrigado! ${shop} já recebeu a confirmação.`,
      },
      paid_late: {
        heading: 'Pagamento recebido fora do prazo',
        advice: (shop) =>
          `Seu Pix chegou depois do prazo. ${shop} já sabe disso; fale com a loja se tiver dúvida sobre o pedido.`,
      },
      expired: {
        heading: 'O prazo terminou',
        advice: (shop) =>
          `Não pague mais este código: volte à loja ${shop} e gere outro. Se você acabou de pagar, a confirmação aparece aqui.`,
      },
      cancelled: {
        heading: 'Cobrança cancelada',
        advice: (shop) => `Não pague mais este código. Em caso de dúvida, fale com ${shop}.`,
      },
      failed: {
        heading: 'Não foi possível gerar o Pix',
        advice: (shop) => `Nada foi cobrado. Volte à loja ${shop} e tente de novo.`,
      },
      refunded: {
        heading: 'Pagamento devolvido',
        advice: () => 'O valor voltou para a conta de onde o Pix saiu.',
      },
    },
    expiredOfLink: {
      heading: 'O prazo terminou',
      advice: () =>
        'Não pague mais este código: gere outro. Se você acabou de pagar, a confirmação aparece aqui.',
    },
    again: 'Gerar novo Pix',
    endToEndId: 'ID da transação Pix',
    amount: 'Valor',
    partlyRefunded: (amount) => `${amount} já foram devolvidos para a conta de onde o Pix saiu.`,
    payUntil: (instant) => `Pague até ${instant} (horário de Brasília)`,
    timeLeft: 'Tempo restante: {time}',
    paidAt: (instant) => `Pago em ${instant} (horário de Brasília)`,
    estimate: 'Valor estimado para hoje. O valor final é o que o seu banco mostrar.',
    dueOn: (day) => `Vencimento: ${day}`,
    dueOnAdjusted: (day, adjusted) => `Vencimento: ${day}, prorrogado para ${adjusted} (dia útil)`,
    wasDueOn: (day) => `Venceu em ${day}`,
    payableUntil: (day) => `Último dia para pagar: ${day}`,
    amountUntil: (day, amount, then) => `Até ${day}:\u00a0${amount} · depois:\u00a0${then}`,
    amountToday: (amount, tomorrow) => `Hoje:\u00a0${amount} · amanhã:\u00a0${tomorrow}`,
    parts: {
      original: 'Valor original',
      rebate: 'Abatimento',
      discount: 'Desconto',
      fine: 'Multa',
      interest: 'Juros',
    },
    scan: 'Escaneie com o app do seu banco',
    qrCode: 'QR code do Pix',
    code: 'Pix copia e cola',
    copy: 'Copiar código',
    copied: 'Código copiado. Agora abra o app do seu banco, escolha Pix copia e cola e cole o código.',
    copyFailed: 'Não foi possível copiar: selecione o código e copie.',
    steps: [
      'Abra o app do seu banco e escolha pagar com Pix.',
      'Escaneie o QR code ou cole o código.',
      'Confira o valor e quem recebe, e confirme.',
    ],
    updates: 'Esta página se atualiza sozinha quando o pagamento é confirmado.',
    atNight:
      'Entre 20h e 6h, o limite do Pix costuma ser menor. Se o banco recusar o valor, ajuste o limite no app ou pague depois das 6h.',
    refresh: 'Já paguei: verificar pagamento',
    back: (shop) => `Voltar para ${shop}`,
    test: 'Modo de teste: este código não pode ser pago e nada será cobrado.',
    offline: 'Sem conexão. O código continua valendo; a situação é atualizada assim que a internet voltar.',
    notFound: {
      heading: 'Página não encontrada',
      advice: () => 'Confira se o endereço está completo, ou peça um novo a quem o enviou.',
    },
    tooMany: {
      heading: 'Muitos acessos',
      advice: () => 'Espere um minuto e abra a página de novo.',
    },
    unavailable: {
      heading: 'Indisponível no momento',
      advice: () => 'Tente de novo em instantes. Se você já pagou, o pagamento não se perde.',
    },
  },
  en: {
    states: {
      creating: { heading: 'Creating the Pix', advice: () => 'This takes a few seconds.' },
      waiting: { heading: 'Pay with Pix', advice: () => 'Scan the QR code or copy the code.' },
      paid: {
        heading: 'Payment confirmed',
        advice: (shop) => `Thank you! ${shop} has received the confirmation.`,
      },
      paid_late: {
        heading: 'Payment received late',
        advice: (shop) =>
          `Your Pix arrived after the deadline. ${shop} knows; contact them if you have a question about the order.`,
      },
      expired: {
        heading: 'Time is up',
        advice: (shop) =>
          `Do not pay this code any more: go back to ${shop} for a new one. If you have just paid, the confirmation appears here.`,
      },
      cancelled: {
        heading: 'Payment cancelled',
        advice: (shop) => `Do not pay this code any more. If in doubt, contact ${shop}.`,
      },
      failed: {
        heading: 'The Pix could not be created',
        advice: (shop) => `Nothing was charged. Go back to ${shop} and try again.`,
      },
      refunded: {
        heading: 'Payment refunded',
        advice: () => 'The money went back to the account that the Pix came from.',
      },
    },
    expiredOfLink: {
      heading: 'Time is up',
      advice: () =>
        'Do not pay this code any more: create another one. If you have just paid, the confirmation appears here.',
    },
    again: 'Create a new Pix',
    endToEndId: 'Pix transaction ID',
    amount: 'Amount',
    partlyRefunded: (amount) => `${amount} went back to the account that the Pix came from.`,
    payUntil: (instant) => `Pay by ${instant} (Brasília time)`,
    timeLeft: 'Time left: {time}',
    paidAt: (instant) => `Paid on ${instant} (Brasília time)`,
    estimate: 'An estimate for today. The final amount is the one that your bank shows.',
    dueOn: (day) => `Due on ${day}`,
    dueOnAdjusted: (day, adjusted) => `Due on ${day}, moved to ${adjusted} (business day)`,
    wasDueOn: (day) => `Was due on ${day}`,
    payableUntil: (day) => `Last day to pay: ${day}`,
    amountUntil: (day, amount, then) => `Until ${day}:\u00a0${amount} · then:\u00a0${then}`,
    amountToday: (amount, tomorrow) => `Today:\u00a0${amount} · tomorrow:\u00a0${tomorrow}`,
    parts: {
      original: 'Original amount',
      rebate: 'Rebate',
      discount: 'Discount',
      fine: 'Fine',
      interest: 'Interest',
    },
    scan: "Scan with your bank's app",
    qrCode: 'Pix QR code',
    code: 'Pix code',
    copy: 'Copy code',
    copied: "Code copied. Now open your bank's app, choose to pay a Pix code and paste it.",
    copyFailed: 'Could not copy: select the code and copy it.',
    steps: [
      "Open your bank's app and choose to pay with Pix.",
      'Scan the QR code or paste the code.',
      'Check the amount and who receives it, and confirm.',
    ],
    updates: 'This page updates by itself once the payment is confirmed.',
    atNight:
      'Between 20:00 and 6:00, Pix limits are usually lower. If your bank refuses the amount, change the limit in its app or pay after 6:00.',
    refresh: 'I have paid: check status',
    back: (shop) => `Back to ${shop}`,
    test: 'Test mode: this code cannot be paid, and no money moves.',
    offline: 'No connection. The code is still valid; the status updates as soon as you are back online.',
    notFound: {
      heading: 'Page not found',
      advice: () => 'Check that the address is complete, or ask whoever sent it for a new one.',
    },
    tooMany: { heading: 'Too many requests', advice: () => 'Wait a minute, then open the page again.' },
    unavailable: {
      heading: 'Unavailable right now',
      advice: () => 'Try again in a moment. If you have paid, the payment is not lost.',
    },
  },
};

const formats = Object.fromEntries(
  languages.map((language) => [
    language,
    {
      money: new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL' }),
      day: new Intl.DateTimeFormat(language, {
        timeZone: 'UTC',
        ...(language === 'en'
          ? { dateStyle: 'medium' }
          : { day: '2-digit', month: '2-digit', year: 'numeric' }),
      }),
      instant: new Intl.DateTimeFormat(language, {
        timeZone: 'America/Sao_Paulo',
        dateStyle: language === 'en' ? 'medium' : 'short',
        timeStyle: 'short',
      }),
    },
  ]),
) as Record<Language, { money: Intl.NumberFormat } & Record<'day' | 'instant', Intl.DateTimeFormat>>;

export const moneyText = (language: Language, reais: number): string => formats[language].money.format(reais);

export const dayText = (language: Language, day: CalendarDay): string =>
  formats[language].day.format(new Date(day));

export const instantText = (language: Language, instant: Date): string =>
  formats[language].instant.format(instant);
