import PDFDocument from 'pdfkit';
import type { LocalizedText } from '../base/localized-text.ts';
import type { DisputeState } from '../disputes/rules/dispute.ts';
import type { PublicStatus } from '../payments/rules/payment.ts';
import type { ReversalReason } from '../payments/rules/reversal.ts';
import type { Evidence } from './dispute-evidence-view.ts';

type Language = keyof LocalizedText;

const words = {
  title: { pt: 'Dossiê da contestação', en: 'Evidence for a dispute' },
  dispute: { pt: 'Contestação', en: 'Dispute' },
  payment: { pt: 'Pagamento', en: 'Payment' },
  payer: { pt: 'Pagador cobrado', en: 'Payer who was asked' },
  received: { pt: 'Pix recebidos', en: 'Pix received' },
  returned: { pt: 'Estornos e devoluções', en: 'Refunds and reversals' },
  told: {
    pt: 'Avisos confirmados pelos sistemas do recebedor',
    en: "Notices confirmed by the receiver's systems",
  },
  none: { pt: 'Nada registrado.', en: 'Nothing on record.' },
  foot: {
    pt: 'Somente dados registrados pelo sistema de cobrança; horários de Brasília.',
    en: 'Only what the payment system has on record; times of Brasília.',
  },
  id: { pt: 'Identificador', en: 'Id' },
  state: { pt: 'Situação', en: 'State' },
  amount: { pt: 'Valor', en: 'Amount' },
  reason: { pt: 'Motivo informado pelo provedor', en: "The provider's reason" },
  openedAt: { pt: 'Aberta em', en: 'Opened' },
  defenceUntil: { pt: 'Prazo de defesa', en: 'Deadline for a defence' },
  status: { pt: 'Situação', en: 'Status' },
  description: { pt: 'Descrição', en: 'Description' },
  externalId: { pt: 'Referência do pedido', en: 'Reference' },
  provider: { pt: 'Provedor', en: 'Provider' },
  txid: { pt: 'txid', en: 'txid' },
  createdAt: { pt: 'Criado em', en: 'Created' },
  checkoutOpenedAt: { pt: 'Página de pagamento aberta em', en: 'Checkout page opened' },
  confirmedAt: { pt: 'Pago em', en: 'Paid' },
  name: { pt: 'Nome', en: 'Name' },
  document: { pt: 'CPF ou CNPJ', en: 'CPF or CNPJ' },
  endToEndId: { pt: 'Id do Pix (ponta a ponta)', en: 'End-to-end id' },
  paidAt: { pt: 'Pago em', en: 'Paid' },
  institution: { pt: 'Instituição do pagador', en: "Payer's institution" },
  isPayer: { pt: 'Pago por quem foi cobrado', en: 'Paid by who was asked' },
  yes: { pt: 'sim', en: 'yes' },
  no: { pt: 'não', en: 'no' },
  kind: { pt: 'Tipo', en: 'Kind' },
  at: { pt: 'Em', en: 'At' },
  event: { pt: 'Aviso', en: 'Event' },
  host: { pt: 'Sistema', en: 'System' },
  statusCode: { pt: 'Resposta', en: 'Response' },
} as const satisfies Record<string, LocalizedText>;

/** What codes of the service mean. */
const codes: Readonly<Record<string, LocalizedText>> = {
  open: { pt: 'aberta', en: 'open' },
  won: { pt: 'encerrada a favor do recebedor', en: 'closed in favour of the receiver' },
  lost: { pt: 'encerrada a favor do pagador', en: 'closed in favour of the payer' },
  pending: { pt: 'pendente', en: 'pending' },
  completed: { pt: 'concluído', en: 'completed' },
  expired: { pt: 'expirado', en: 'expired' },
  cancelled: { pt: 'cancelado', en: 'cancelled' },
  refunded: { pt: 'estornado', en: 'refunded' },
  failed: { pt: 'não realizado', en: 'failed' },
  refund: { pt: 'estorno', en: 'refund' },
  reversal: { pt: 'devolução fora do sistema', en: 'not through a refund of the system' },
  returned_at_psp: { pt: 'devolvido no painel do provedor', en: "given back in the provider's panel" },
  med_fraud: { pt: 'MED, fraude', en: 'MED, fraud' },
  med_operational_failure: { pt: 'MED, falha operacional', en: 'MED, operational failure' },
  med_automatic_pix: { pt: 'MED, Pix Automático', en: 'MED, Pix Automático' },
  chargeback: { pt: 'chargeback', en: 'chargeback' },
} satisfies Record<DisputeState | PublicStatus | ReversalReason | 'refund' | 'reversal', LocalizedText>;
const coded: readonly string[] = ['state', 'status', 'kind', 'reason'];

type Word = keyof typeof words;
type Fact = string | number | boolean;

const locales = { pt: 'pt-BR', en: 'en-GB' };
const instants: readonly string[] = [
  'openedAt',
  'defenceUntil',
  'createdAt',
  'checkoutOpenedAt',
  'confirmedAt',
  'paidAt',
  'at',
];
const gray = '#5c5f66';

/** The fonts have Windows-1252 alone: any other letter becomes a question mark, not a wrong one. Nothing breaks out of its line. */
const printable = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/[^ -~\u00a1-ÿŒœŠšŸŽžƒˆ˜–—‘-‚“-„†-•…‰‹›€™]/gu, '?');

/** Prints on A4, with the fonts that every reader has. */
export async function printEvidence(evidence: Evidence, language: Language): Promise<Buffer> {
  const say = (word: Word): string => words[word][language];
  const dateTime = (instant: string): string =>
    new Intl.DateTimeFormat(locales[language], {
      dateStyle: 'short',
      timeStyle: 'medium',
      timeZone: 'America/Sao_Paulo',
    }).format(new Date(instant));
  const money = (amount: number): string =>
    new Intl.NumberFormat(locales[language], { style: 'currency', currency: 'BRL' }).format(amount);
  const printed = (name: string, value: Fact): string => {
    if (typeof value === 'boolean') return say(value ? 'yes' : 'no');
    if (name === 'amount') return money(Number(value));
    if (instants.includes(name)) return dateTime(String(value));
    const code = coded.includes(name) ? codes[String(value)] : undefined;
    return code?.[language] ?? printable(String(value));
  };

  const title = `${say('title')}: ${evidence.receiver}`;
  const page = new PDFDocument({ size: 'A4', margin: 56, info: { Title: title }, lang: locales[language] });
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<void>((resolve) => page.on('end', resolve));

  const facts = (about: Readonly<Record<string, Fact | undefined>>): void => {
    const known = Object.entries(about).flatMap(([name, value]) =>
      value === undefined ? [] : [[name as Word, value] as const],
    );
    if (known.length === 0) page.fillColor(gray).text(say('none'));
    for (const [name, value] of known) {
      page.fillColor(gray).text(`${say(name)}: `, { continued: true });
      page.fillColor('black').text(printed(name, value));
    }
    page.moveDown(0.5);
  };
  const section = (name: Word): void => {
    page.moveDown(0.5).font('Helvetica-Bold').fontSize(12).fillColor('black').text(say(name));
    page.moveDown(0.25).font('Helvetica').fontSize(10);
  };
  const list = (name: Word, items: readonly Readonly<Record<string, Fact | undefined>>[]): void => {
    section(name);
    if (items.length === 0) facts({});
    for (const item of items) facts(item);
  };

  page.font('Helvetica-Bold').fontSize(16).text(printable(title));
  page
    .font('Helvetica')
    .fontSize(9)
    .fillColor(gray)
    .text(`${dateTime(evidence.preparedAt)}. ${say('foot')}`);
  section('dispute');
  facts(evidence.dispute);
  section('payment');
  facts(evidence.payment);
  section('payer');
  facts(evidence.payer);
  list('received', evidence.received);
  list('returned', evidence.returned);
  list('told', evidence.told);
  page.end();
  await done;
  return Buffer.concat(chunks);
}
