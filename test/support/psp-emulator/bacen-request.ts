import { hasValidCheckDigits, parseDocument } from '../../../src/core/payments/rules/document.ts';
import { cents } from '../../../src/core/base/money.ts';
import { membersOf, type Violation } from './bacen-wire.ts';
import type { Exchange } from './psp.ts';

export const pixKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';

const amountPattern = /^\d{1,10}\.\d{2}$/;

export const centsOf = (valor: unknown) =>
  typeof valor === 'string' && amountPattern.test(valor) ? cents(BigInt(valor.replace('.', ''))) : undefined;

/** In code points; NaN for what is no text. */
export const lengthOf = (text: unknown) => (typeof text === 'string' ? Array.from(text).length : Number.NaN);

export type Refuse = (propriedade: string, razao: string) => unknown;

/** `of` is `cob` or `cobv`, the name of the charge in a violation. */
export function refuseDebtor(of: string, devedor: unknown, isStrict: boolean, refuse: Refuse): void {
  const { cpf, cnpj, nome } = membersOf(devedor);
  const member = cpf === undefined ? 'cnpj' : 'cpf';
  const given = cpf ?? cnpj;
  const document = typeof given === 'string' ? parseDocument(given) : undefined;
  if (!(lengthOf(nome) > 0)) refuse(`${of}.devedor.nome`, 'O campo devedor.nome é obrigatório.');
  const isDocument = document?.kind === member && document.value === given;
  if (!isDocument || (isStrict && !hasValidCheckDigits(document))) {
    refuse(`${of}.devedor.${member}`, `Documento ${member.toUpperCase()} em devedor.${member} é inválido`);
  }
}

/** By the object that has them; those of the body itself without a name. */
export type KnownMembers = Readonly<Record<string, readonly string[]>>;

/** What Efí's schema of `PUT /v2/cob/{txid}` knows. */
const knownMembers: KnownMembers = {
  '': ['calendario', 'devedor', 'valor', 'chave', 'solicitacaoPagador', 'infoAdicionais', 'loc'],
  calendario: ['expiracao'],
  valor: ['original'],
  devedor: ['cpf', 'cnpj', 'nome'],
};

export function refuseUnknown(
  of: string,
  json: Exchange['json'],
  knownMembers: KnownMembers,
  refuse: Refuse,
): void {
  for (const [path, known] of Object.entries(knownMembers)) {
    for (const name of Object.keys(path ? membersOf(json[path]) : json)) {
      const where = [of, path, name].filter(Boolean).join('.');
      if (!known.includes(name)) refuse(where, `O campo ${where} não é permitido.`);
    }
  }
}

/** What the standard's schema says of the request, and in the strict way Efí's, which checks documents too. */
export function violationsOf(json: Exchange['json'], isStrict: boolean): Violation[] {
  const violations: Violation[] = [];
  const refuse: Refuse = (propriedade, razao) => violations.push({ razao, propriedade });
  const { expiracao } = membersOf(json['calendario']);
  if (!Number.isInteger(expiracao) || Number(expiracao) <= 0) {
    refuse('cob.calendario.expiracao', 'O campo cob.calendario.expiracao é igual ou menor que zero.');
  }
  if (!centsOf(membersOf(json['valor'])['original'])) {
    refuse('cob.valor.original', 'O campo cob.valor.original não respeita o _schema_.');
  }
  if (json['chave'] !== pixKey) refuse('cob.chave', 'A chave não é do usuário recebedor.');
  if (lengthOf(json['solicitacaoPagador'] ?? '') > 140) {
    refuse('cob.solicitacaoPagador', 'O campo cob.solicitacaoPagador não respeita o _schema_.');
  }
  if (json['devedor'] !== undefined) refuseDebtor('cob', json['devedor'], isStrict, refuse);
  if (isStrict) refuseUnknown('cob', json, knownMembers, refuse);
  return violations;
}
