import type { PayerField } from '../../core/providers/rules/charge.ts';
import type { LinkStatus } from '../../core/checkout/payment-link-view.ts';
import type { Language } from './texts.ts';

export const formFields = ['amount', 'name', 'document', 'email', 'phone'] as const satisfies readonly (
  PayerField | 'amount'
)[];

export type FormField = (typeof formFields)[number];

interface LinkTexts {
  heading: string;
  pay: string;
  labels: Record<FormField, string>;
  hints: Partial<Record<FormField, string>>;
  errors: Record<FormField, string>;
  between: (minimum: string | undefined, maximum: string | undefined) => string;
  closed: Record<Exclude<LinkStatus, 'active'>, { heading: string; advice: (shop: string) => string }>;
  refused: string;
  why: (shop: string) => string;
  whyDue: (shop: string) => string;
}

export const linkTexts: Record<Language, LinkTexts> = {
  'pt-BR': {
    heading: 'Pagar com Pix',
    pay: 'Gerar Pix',
    labels: {
      amount: 'Valor (R$)',
      name: 'Nome completo',
      document: 'CPF ou CNPJ',
      email: 'E-mail',
      phone: 'Telefone com DDD',
    },
    hints: { amount: 'Por exemplo: 25,00' },
    errors: {
      amount: 'Informe um valor, como 25,00.',
      name: 'Informe seu nome.',
      document: 'Informe um CPF ou CNPJ válido.',
      email: 'Informe um e-mail válido.',
      phone: 'Informe um telefone com DDD.',
    },
    between: (minimum, maximum) => {
      if (minimum === undefined) return maximum === undefined ? '' : `O valor deve ser no máximo ${maximum}.`;
      return maximum === undefined
        ? `O valor deve ser no mínimo ${minimum}.`
        : `O valor deve ficar entre ${minimum} e ${maximum}.`;
    },
    closed: {
      used: { heading: 'Este link já foi pago', advice: (shop) => `Em caso de dúvida, fale com ${shop}.` },
      expired: { heading: 'O prazo deste link terminou', advice: (shop) => `Peça um novo a ${shop}.` },
      deactivated: { heading: 'Este link não está mais ativo', advice: (shop) => `Peça um novo a ${shop}.` },
    },
    refused: 'Não foi possível gerar o Pix agora. Tente de novo em instantes.',
    why: (shop) => `${shop} recebe por um banco que pede estes dados para gerar o Pix.`,
    whyDue: (shop) => `${shop} cobra com vencimento, e o banco pede os dados de quem paga.`,
  },
  en: {
    heading: 'Pay with Pix',
    pay: 'Create Pix',
    labels: {
      amount: 'Amount (R$)',
      name: 'Full name',
      document: 'CPF or CNPJ',
      email: 'E-mail',
      phone: 'Phone with area code',
    },
    hints: { amount: 'For example: 25.00' },
    errors: {
      amount: 'Enter an amount, such as 25.00.',
      name: 'Enter your name.',
      document: 'Enter a valid CPF or CNPJ.',
      email: 'Enter a valid e-mail address.',
      phone: 'Enter a phone number with area code.',
    },
    between: (minimum, maximum) => {
      if (minimum === undefined) return maximum === undefined ? '' : `The amount must be at most ${maximum}.`;
      return maximum === undefined
        ? `The amount must be at least ${minimum}.`
        : `The amount must be between ${minimum} and ${maximum}.`;
    },
    closed: {
      used: { heading: 'This link has been paid', advice: (shop) => `If in doubt, contact ${shop}.` },
      expired: { heading: 'This link has expired', advice: (shop) => `Ask ${shop} for a new one.` },
      deactivated: {
        heading: 'This link is no longer active',
        advice: (shop) => `Ask ${shop} for a new one.`,
      },
    },
    refused: 'The Pix could not be created right now. Try again in a moment.',
    why: (shop) => `${shop} receives through a bank that asks for this to create the Pix.`,
    whyDue: (shop) => `${shop} charges with a due date, and the bank asks who pays.`,
  },
};
