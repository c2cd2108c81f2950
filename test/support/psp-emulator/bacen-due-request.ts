import type { DueTerms, Share } from '../due/second-reckoning.ts';
import {
  centsOf,
  type KnownMembers,
  lengthOf,
  pixKey,
  type Refuse,
  refuseDebtor,
  refuseUnknown,
} from './bacen-request.ts';
import { membersOf, type Violation } from './bacen-wire.ts';
import { isDay, lastDueDate } from './due.ts';
import type { Exchange } from './psp.ts';

type Json = Exchange['json'];

/** CobVSolicitada. */
const knownMembers: KnownMembers = {
  '': ['calendario', 'devedor', 'loc', 'valor', 'chave', 'solicitacaoPagador', 'infoAdicionais'],
  calendario: ['dataDeVencimento', 'validadeAposVencimento'],
  devedor: ['cpf', 'cnpj', 'nome', 'email', 'logradouro', 'cidade', 'uf', 'cep'],
  valor: ['original', 'multa', 'juros', 'abatimento', 'desconto'],
};

/** DadosComplementaresPessoa. */
const addressLengths = { logradouro: 200, cidade: 200, uf: 2, cep: 8 };

const mostModes = { multa: 2, juros: 8, abatimento: 2, desconto: 6 };

const largestInt32 = 2_147_483_647;

const isFromTo = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

const isText = (value: unknown, most: number): boolean => value === undefined || lengthOf(value) <= most;

interface Rules {
  /** The charge's own, `YYYY-MM-DD`. */
  createdOn: string;
  isStrict: boolean;
  needsAddress: boolean;
}

function refuseDates(json: Json, createdOn: string, refuse: Refuse): void {
  const { dataDeVencimento, validadeAposVencimento = 30 } = membersOf(json['calendario']);
  const where = 'cobv.calendario.dataDeVencimento';
  if (!isDay(dataDeVencimento)) refuse(where, `O campo ${where} não respeita o _schema_.`);
  else if (dataDeVencimento < createdOn) {
    refuse(where, `O campo ${where} é anterior à data de criação da cobrança.`);
  } else if (dataDeVencimento > lastDueDate)
    refuse(where, `O campo ${where} está além dos feriados conhecidos.`);
  if (!isFromTo(validadeAposVencimento, 0, largestInt32)) {
    const validity = 'cobv.calendario.validadeAposVencimento';
    refuse(validity, `O campo ${validity} é menor do que zero.`);
  }
}

function refuseAddress(devedor: unknown, needsAddress: boolean, refuse: Refuse): void {
  const members = membersOf(devedor);
  for (const [name, most] of Object.entries(addressLengths)) {
    const isMissing = needsAddress && members[name] === undefined;
    if (isMissing || !isText(members[name], most)) {
      refuse('cobv.devedor', `O objeto cobv.devedor não respeita o _schema_: ${name}.`);
    }
  }
}

/** Whether it takes the whole charge: an amount, or a percentage, at least as large. */
const isWhole = (valorPerc: unknown, isPercent: boolean, original: unknown): boolean =>
  (centsOf(valorPerc) ?? 0n) >= (isPercent ? 100_00n : (centsOf(original) ?? 0n));

function refuseDiscount(json: Json, refuse: Refuse): void {
  const { original, desconto } = membersOf(json['valor']);
  const { modalidade, valorPerc, descontoDataFixa } = membersOf(desconto);
  const no = (why: string) => refuse('cobv.valor.desconto', `O objeto cobv.valor.desconto ${why}.`);
  if (Number(modalidade) >= 3) {
    if (descontoDataFixa !== undefined) no('apresenta descontoDataFixa nas modalidades de 3 a 6');
    if (centsOf(valorPerc) === undefined) no('não apresenta valorPerc nas modalidades de 3 a 6');
    if (isWhole(valorPerc, Number(modalidade) >= 5, original)) no('é maior ou igual ao valor da cobrança');
    return;
  }
  if (valorPerc !== undefined) no('apresenta valorPerc nas modalidades 1 e 2');
  if (!Array.isArray(descontoDataFixa) || descontoDataFixa.length === 0 || descontoDataFixa.length > 3) {
    no('não apresenta de um a três elementos em descontoDataFixa');
    return;
  }
  const elements = descontoDataFixa.map(membersOf);
  if (new Set(elements.map((each) => JSON.stringify(each))).size < elements.length) no('repete um elemento');
  for (const each of elements) {
    if (!isDay(each['data']) || centsOf(each['valorPerc']) === undefined) no('não respeita o _schema_');
    else if (each['data'] > String(membersOf(json['calendario'])['dataDeVencimento'])) {
      no('apresenta uma data posterior à data de vencimento');
    } else if (isWhole(each['valorPerc'], modalidade === 2, original))
      no('é maior ou igual ao valor da cobrança');
  }
}

function refuseAmounts(json: Json, refuse: Refuse): void {
  const { original, ...others } = membersOf(json['valor']);
  if (!centsOf(original))
    refuse('cobv.valor.original', 'O campo cobv.valor.original não respeita o _schema_ ou é zero.');
  for (const [name, most] of Object.entries(mostModes)) {
    if (others[name] === undefined) continue;
    const { modalidade, valorPerc } = membersOf(others[name]);
    const isComplete = name === 'desconto' || centsOf(valorPerc) !== undefined;
    if (!isFromTo(modalidade, 1, most) || !isComplete) {
      refuse(`cobv.valor.${name}`, `O objeto cobv.valor.${name} não respeita o _schema_.`);
    } else if (name === 'desconto') refuseDiscount(json, refuse);
    else if (name === 'abatimento' && isWhole(valorPerc, modalidade === 2, original)) {
      refuse(
        'cobv.valor.abatimento',
        'O objeto cobv.valor.abatimento é maior ou igual ao valor da cobrança.',
      );
    }
  }
}

/** What the error CobVOperacaoInvalida of the API Pix 2.9.0 names, and in the strict way what Efí's schema does. */
export function dueViolationsOf(json: Json, { createdOn, isStrict, needsAddress }: Rules): Violation[] {
  const violations: Violation[] = [];
  const refuse: Refuse = (propriedade, razao) => violations.push({ razao, propriedade });
  refuseDates(json, createdOn, refuse);
  refuseDebtor('cobv', json['devedor'], isStrict, refuse);
  const { cpf, cnpj, nome } = membersOf(json['devedor']);
  if ((cpf !== undefined && cnpj !== undefined) || !isText(nome, 200)) {
    refuse('cobv.devedor', 'O objeto cobv.devedor não respeita o _schema_.');
  }
  refuseAddress(json['devedor'], needsAddress, refuse);
  refuseAmounts(json, refuse);
  if (json['chave'] !== pixKey) refuse('cobv.chave', 'A chave não é do usuário recebedor.');
  if (json['loc'] !== undefined) refuse('cobv.loc.id', 'O location referenciado por cobv.loc.id inexiste.');
  if (!isText(json['solicitacaoPagador'], 140)) {
    refuse('cobv.solicitacaoPagador', 'O campo solicitacaoPagador não respeita o _schema_.');
  }
  if (!isInfo(json['infoAdicionais'] ?? [])) {
    refuse('cobv.infoAdicionais', 'O objeto infoAdicionais não respeita o _schema_.');
  }
  if (isStrict) refuseUnknown('cobv', json, knownMembers, refuse);
  return violations;
}

const isInfo = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= 50 &&
  value.map(membersOf).every(({ nome, valor }) => lengthOf(nome) <= 50 && lengthOf(valor) <= 200);

const shareOf = (value: unknown): Share | undefined => {
  const { modalidade, valorPerc } = membersOf(value);
  const given = centsOf(valorPerc);
  if (given === undefined) return undefined;
  // A percentage has two decimals, as an amount has.
  return modalidade === 2 ? { basisPoints: Number(given) } : { amountInCents: given };
};

const rates = ['value', 'day', 'month', 'year'] as const;

function interestOf(juros: unknown): DueTerms['interest'] {
  const { modalidade, valorPerc } = membersOf(juros);
  const given = centsOf(valorPerc);
  if (given === undefined) return undefined;
  const businessDays = Number(modalidade) > 4;
  const per = rates[(Number(modalidade) - 1) % 4] ?? 'value';
  if (per === 'value') return { businessDays, amountInCentsPerDay: given };
  return { businessDays, basisPoints: Number(given), per };
}

function discountOf(desconto: unknown): Pick<DueTerms, 'discounts' | 'earlyDiscount'> {
  const { modalidade, valorPerc, descontoDataFixa } = membersOf(desconto);
  if (Array.isArray(descontoDataFixa)) {
    const elements = descontoDataFixa.map(membersOf);
    return {
      discounts: elements.flatMap(({ data, valorPerc: each }) => {
        const share = shareOf({ modalidade, valorPerc: each });
        return share ? [{ until: String(data), ...share }] : [];
      }),
    };
  }
  const given = centsOf(valorPerc);
  if (given === undefined) return {};
  const businessDays = modalidade === 4 || modalidade === 6;
  const isPercent = Number(modalidade) >= 5;
  return {
    earlyDiscount: isPercent
      ? { businessDays, basisPointsPerDay: Number(given) }
      : { businessDays, amountInCentsPerDay: given },
  };
}

/** Of a body without violations. */
export function termsOf(json: Json): DueTerms {
  const { dataDeVencimento, validadeAposVencimento } = membersOf(json['calendario']);
  const { multa, juros, abatimento, desconto } = membersOf(json['valor']);
  const [rebate, fine, interest] = [shareOf(abatimento), shareOf(multa), interestOf(juros)];
  return {
    date: String(dataDeVencimento),
    payableDaysAfter: Number(validadeAposVencimento),
    ...(rebate && { rebate }),
    ...(fine && { fine }),
    ...(interest && { interest }),
    ...discountOf(desconto),
  };
}
