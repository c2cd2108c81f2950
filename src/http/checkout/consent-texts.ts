import type { ConsentState } from '../../core/checkout/consents.ts';
import type { Frequency, RetryPolicy } from '../../core/recurrences/rules/recurrence.ts';
import { type Language, type Texts, texts } from './texts.ts';

interface ConsentTexts {
  /** `offline`, `refresh`, `steps` and `updates` are about a permission instead of a payment. */
  page: Texts;
  states: Record<ConsentState, { heading: string; advice: (shop: string) => string }>;
  terms: string;
  receiver: string;
  amount: string;
  varies: string;
  atLeast: (amount: string) => string;
  first: string;
  firstNow: (amount: string) => string;
  firstByItself: (amount: string) => string;
  frequency: string;
  frequencies: Record<Frequency, string>;
  start: string;
  end: string;
  noEnd: string;
  retries: string;
  retry: Record<RetryPolicy, string>;
  ending: string;
  howToEnd: string;
  permitUntil: (instant: string) => string;
  /** Where there is no code. */
  atBank: string;
}

export const consentTexts: Record<Language, ConsentTexts> = {
  'pt-BR': {
    page: {
      ...texts['pt-BR'],
      steps: [
        'Abra o app do seu banco e escolha pagar com Pix.',
        'Escaneie o QR code ou cole o código.',
        'Confira quem recebe, o valor e a frequência, e autorize.',
      ],
      updates: 'Esta página se atualiza sozinha quando o seu banco confirma a autorização.',
      refresh: 'Já autorizei: verificar situação',
      test: 'Modo de teste: este código não pode ser autorizado e nada será cobrado.',
    },
    states: {
      waiting: {
        heading: 'Autorize o Pix Automático',
        advice: (shop) => `Com a autorização, ${shop} debita da sua conta nas condições abaixo.`,
      },
      active: {
        heading: 'Autorização confirmada',
        advice: (shop) => `Tudo certo: os débitos de ${shop} seguem as condições abaixo.`,
      },
      rejected: {
        heading: 'Autorização recusada',
        advice: (shop) => `Nada será debitado. Se mudar de ideia, peça um novo código a ${shop}.`,
      },
      expired: {
        heading: 'O prazo para autorizar terminou',
        advice: (shop) => `Nada será debitado. Se ainda quiser autorizar, peça um novo código a ${shop}.`,
      },
      withdrawn: {
        heading: 'Pedido de autorização cancelado',
        advice: (shop) => `Nada será debitado. Em caso de dúvida, fale com ${shop}.`,
      },
      ended: {
        heading: 'Autorização encerrada',
        advice: (shop) => `Nenhum novo débito será feito. Em caso de dúvida, fale com ${shop}.`,
      },
    },
    terms: 'O que você autoriza',
    receiver: 'Quem recebe',
    amount: 'Valor de cada débito',
    varies: 'Varia a cada débito; o seu banco avisa antes.',
    atLeast: (amount) => `Se você definir um limite por débito, ele será de pelo menos ${amount}.`,
    first: 'Primeiro pagamento',
    firstNow: (amount) => `${amount}, pago ao autorizar`,
    firstByItself: (amount) => `${amount}, com o mesmo código; você pode pagar sem autorizar os débitos`,
    frequency: 'Frequência',
    frequencies: {
      weekly: 'Toda semana',
      monthly: 'Todo mês',
      quarterly: 'A cada três meses',
      semiannually: 'A cada seis meses',
      annually: 'Todo ano',
    },
    start: 'A partir de',
    end: 'Até',
    noEnd: 'Sem data para terminar',
    retries: 'Se um débito falhar',
    retry: {
      none: 'Não há nova tentativa.',
      three_in_seven_days: 'Até três novas tentativas, em dias diferentes, nos sete dias seguintes.',
    },
    ending: 'Para encerrar',
    howToEnd: 'Quando quiser, no app do seu banco, em Pix Automático.',
    permitUntil: (instant) => `Autorize até ${instant} (horário de Brasília)`,
    atBank: 'O pedido está no app do seu banco, em Pix Automático. Confira-o lá e autorize.',
  },
  en: {
    page: {
      ...texts.en,
      steps: [
        "Open your bank's app and choose to pay with Pix.",
        'Scan the QR code or paste the code.',
        'Check who receives, the amount and how often, and authorize.',
      ],
      updates: 'This page updates by itself once your bank confirms the authorization.',
      refresh: 'I have authorized: check status',
      test: 'Test mode: this code cannot be authorized, and no money moves.',
    },
    states: {
      waiting: {
        heading: 'Authorize Pix Automático',
        advice: (shop) => `With it, ${shop} debits your account on the terms below.`,
      },
      active: {
        heading: 'Authorization confirmed',
        advice: (shop) => `All set: debits by ${shop} follow the terms below.`,
      },
      rejected: {
        heading: 'Authorization refused',
        advice: (shop) => `Nothing will be debited. If you change your mind, ask ${shop} for a new code.`,
      },
      expired: {
        heading: 'The time to authorize is up',
        advice: (shop) =>
          `Nothing will be debited. If you still want to authorize it, ask ${shop} for a new code.`,
      },
      withdrawn: {
        heading: 'Authorization request cancelled',
        advice: (shop) => `Nothing will be debited. If in doubt, contact ${shop}.`,
      },
      ended: {
        heading: 'Authorization ended',
        advice: (shop) => `No further debit will be made. If in doubt, contact ${shop}.`,
      },
    },
    terms: 'What you authorize',
    receiver: 'Who receives',
    amount: 'Amount of each debit',
    varies: 'Varies with each debit; your bank tells you beforehand.',
    atLeast: (amount) => `If you set a limit for each debit, it will be at least ${amount}.`,
    first: 'First payment',
    firstNow: (amount) => `${amount}, paid when you authorize`,
    firstByItself: (amount) => `${amount}, by the same code; you can pay without authorizing the debits`,
    frequency: 'How often',
    frequencies: {
      weekly: 'Every week',
      monthly: 'Every month',
      quarterly: 'Every three months',
      semiannually: 'Every six months',
      annually: 'Every year',
    },
    start: 'From',
    end: 'Until',
    noEnd: 'No end date',
    retries: 'If a debit fails',
    retry: {
      none: 'It is not tried again.',
      three_in_seven_days: 'It is tried again up to three times, on different days within the next seven.',
    },
    ending: 'To end it',
    howToEnd: "At any time, in your bank's app, under Pix Automático.",
    permitUntil: (instant) => `Authorize by ${instant} (Brasília time)`,
    atBank: "The request is in your bank's app, under Pix Automático. Check it there and authorize.",
  },
};
