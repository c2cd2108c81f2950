import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../src/core/base/json/json-object.ts';
import { cents } from '../../../src/core/base/money.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { partsOn, type Ways } from '../due/second-reckoning.ts';
import type { BacenFlavour, BacenSwitch } from './bacen-bank.ts';
import { dueViolationsOf, termsOf } from './bacen-due-request.ts';
import { cobvOf, revisionsOf } from './bacen-due-wire.ts';
import { centsOf } from './bacen-request.ts';
import { membersOf, type Violation, written } from './bacen-wire.ts';
import { payableUntil } from './due.ts';
import type { EmulatedCharge, Ledger } from './ledger.ts';
import type { Exchange, Reply, Route } from './psp.ts';
import type { Switches } from './switches.ts';

type Json = Exchange['json'];

interface Options {
  flavour: BacenFlavour;
  /** Of `/cobv/{txid}`. */
  path: RegExp;
  /** Where PATCH is served too, or instead. */
  patchPath: RegExp;
  ledger: Ledger;
  has: Switches<BacenSwitch>['isOn'];
  refused: (status: number, type: string, nome: string, violations?: readonly Violation[]) => Reply;
  absent: (type: string, nome: string) => Reply;
  /** Why this bank takes no PATCH there. */
  patchRefusal: (path: string) => Reply | undefined;
  statusOf: (charge: EmulatedCharge) => string;
}

/** Null is as good as left out, and in a revision takes a member away (issue 281 of the API Pix). */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutNulls(each)]));
};

/** A charge says for how long it can be paid, also if nobody has said so (CobVGerada, issue 413 of the API Pix). */
const completed = (json: Json): Json => {
  const tidied = membersOf(withoutNulls(json));
  return { ...tidied, calendario: { validadeAposVencimento: 30, ...membersOf(tidied['calendario']) } };
};

/** What a revision does not name stays (issue 281). Beside the members of `calendario` and `valor`, all is replaced whole. */
const merged = (before: Json, change: Json): Json => {
  const parts = ['calendario', 'valor'].filter((name) => change[name] !== undefined);
  const members = parts.map((name) => [name, { ...membersOf(before[name]), ...membersOf(change[name]) }]);
  return completed({ ...before, ...change, ...Object.fromEntries(members) });
};

/** `/cobv` of the API Pix 2.9.0: charges with a due date, of which no two have one txid, nor one with a charge of `/cob`. */
export function bacenDueRoutes(options: Options): Route[] {
  const { flavour, path, patchPath, ledger, has, refused, absent, patchRefusal, statusOf } = options;

  const ways = (): Ways => ({
    interestFromWrittenDate: has('interestFromWrittenDate'),
    validityStays: has('shortValidity'),
    ...(has('cutFactor') && { decimalsOfFactor: 5 }),
  });
  ledger.partsOn = (charge, terms, day) => partsOn(day, charge.amountInCents, terms, ways());

  const dayOf = (at: Date): string =>
    has('dueDatesInUtc') ? at.toISOString().slice(0, 10) : brasiliaDay(at);
  const invalid = (nome: string, violations?: readonly Violation[]): Reply =>
    refused(400, 'CobVOperacaoInvalida', nome, violations);
  const shown = (status: number, charge: EmulatedCharge, revisao?: number): Reply => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: written(cobvOf(charge, statusOf(charge), has, revisao), has),
  });
  const violationsOf = (body: Json, createdAt: Date): Violation[] =>
    dueViolationsOf(body, {
      createdOn: dayOf(createdAt),
      isStrict: has('strict'),
      needsAddress: has('neededAddress'),
    });
  const findDue = (transactionId: string): EmulatedCharge | undefined => {
    const charge = ledger.find(transactionId);
    return charge?.due ? charge : undefined;
  };

  /** What the ledger keeps of a body. */
  function keptOf(body: Json, before?: EmulatedCharge) {
    const { chave, devedor } = body;
    const terms = termsOf(body);
    const revisions = [...(before ? revisionsOf(before) : []), body];
    return {
      amountInCents: centsOf(membersOf(body['valor'])['original']) ?? cents(0),
      due: terms,
      expiresAt: payableUntil(terms, ways()),
      details: { ...before?.details, chave, devedor, revisions },
    };
  }

  /** A revision that changes nothing is none (issue 359 of the API Pix). */
  const changes = (charge: EmulatedCharge, body: Json): boolean =>
    !isDeepStrictEqual(revisionsOf(charge).at(-1), body);
  function revise(charge: EmulatedCharge, body: Json): void {
    if (changes(charge, body)) Object.assign(charge, keptOf(body, charge));
  }

  function put({ parameters: [transactionId = ''], json }: Exchange): Reply {
    const [body, there] = [completed(json), findDue(transactionId)];
    const violations = violationsOf(body, there?.createdAt ?? ledger.now());
    if (violations.length > 0) return invalid('json_invalido', violations);
    if (ledger.find(transactionId) && !there) return invalid('txid_duplicado');
    if (!there) {
      return shown(201, ledger.add({ transactionId, reference: transactionId, ...keptOf(body) }));
    }
    if (flavour === 'efi') return refused(409, 'CobVOperacaoInvalida', 'txid_duplicado');
    if (changes(there, body) && statusOf(there) !== 'ATIVA') return invalid('status_cobranca_invalido');
    revise(there, body);
    return shown(201, there);
  }

  function patch({ parameters: [transactionId = ''], json, path: asked }: Exchange): Reply {
    const refusal = patchRefusal(asked);
    if (refusal) return refusal;
    const charge = findDue(transactionId);
    if (!charge) return absent('CobVNaoEncontrada', 'cobranca_nao_encontrada');
    if (statusOf(charge) !== 'ATIVA') return invalid('status_cobranca_invalido');
    if (json['status'] !== undefined) {
      const isCancel = json['status'] === 'REMOVIDA_PELO_USUARIO_RECEBEDOR' && Object.keys(json).length === 1;
      if (!isCancel) return invalid('status_cobranca_invalido');
      charge.isCancelled = true;
      return has('emptyCancel') ? { status: 200 } : shown(200, charge);
    }
    // CobVRevisada: a calendar is given with its due date, whether or not that changes (issue 506 asks why).
    const isDateless =
      json['calendario'] !== undefined && membersOf(json['calendario'])['dataDeVencimento'] === undefined;
    const body = merged(revisionsOf(charge).at(-1) ?? {}, json);
    const propriedade = 'cobv.calendario.dataDeVencimento';
    const violations = [
      ...violationsOf(body, charge.createdAt),
      ...(isDateless ? [{ razao: `O campo ${propriedade} não respeita o _schema_.`, propriedade }] : []),
    ];
    if (violations.length > 0) return invalid('json_invalido', violations);
    revise(charge, body);
    return shown(200, charge);
  }

  function get({ parameters: [transactionId = ''], query }: Exchange): Reply {
    const charge = findDue(transactionId);
    if (!charge) return absent('CobVNaoEncontrada', 'cobranca_nao_encontrada');
    const asked = query.get('revisao');
    if (asked === null) return shown(200, charge);
    return revisionsOf(charge)[Number(asked)] && /^\d+$/.test(asked)
      ? shown(200, charge, Number(asked))
      : refused(400, 'CobVConsultaInvalida', 'consulta_invalida');
  }

  return [
    { operation: 'create', method: 'PUT', path, reply: put },
    { operation: 'find', method: 'GET', path, reply: get },
    {
      operation: (_, json) => (json['status'] === undefined ? 'revise' : 'cancel'),
      method: 'PATCH',
      path: patchPath,
      reply: patch,
    },
  ];
}
