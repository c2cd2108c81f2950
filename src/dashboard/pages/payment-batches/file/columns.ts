import { type Texts, texts } from '../../../base/language.tsx';

/** The columns of a file of payments, in the order of the sample. */
export const columns = [
  'amount',
  'name',
  'document',
  'email',
  'dueDate',
  'fine',
  'interest',
  'discount',
  'discountUntil',
  'externalId',
  'description',
] as const;

export type Column = (typeof columns)[number];

export const requiredColumns: readonly Column[] = ['amount', 'name', 'document', 'dueDate'];

export const columnTexts: Texts<Record<Column, string>> = texts(
  {
    amount: 'Valor',
    name: 'Nome',
    document: 'CPF/CNPJ',
    email: 'E-mail',
    dueDate: 'Vencimento',
    fine: 'Multa',
    interest: 'Juros',
    discount: 'Desconto',
    discountUntil: 'Desconto até',
    externalId: 'Referência',
    description: 'Descrição',
  },
  {
    amount: 'Amount',
    name: 'Name',
    document: 'CPF/CNPJ',
    email: 'E-mail',
    dueDate: 'Due date',
    fine: 'Fine',
    interest: 'Interest',
    discount: 'Discount',
    discountUntil: 'Discount until',
    externalId: 'Reference',
    description: 'Description',
  },
);

/** Other names that people and systems give them. */
const otherNames: Record<string, Column> = {
  'nome do pagador': 'name',
  pagador: 'name',
  'payer name': 'name',
  payername: 'name',
  documento: 'document',
  document: 'document',
  cpf: 'document',
  cnpj: 'document',
  'cpf ou cnpj': 'document',
  email: 'email',
  'data de vencimento': 'dueDate',
  duedate: 'dueDate',
  discountuntil: 'discountUntil',
  'id externo': 'externalId',
  'external id': 'externalId',
  externalid: 'externalId',
};

/** Case, accents and punctuation make no difference. */
const plain = (header: string): string =>
  header
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

const columnsByName = new Map<string, Column>([
  ...Object.entries(otherNames),
  ...[columnTexts.pt, columnTexts.en].flatMap((names) =>
    columns.map((column): [string, Column] => [plain(names[column]), column]),
  ),
]);

export const columnOf = (header: string): Column | undefined => columnsByName.get(plain(header));
