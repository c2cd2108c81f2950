import { createHash, randomUUID } from 'node:crypto';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { cents } from '../../../src/core/base/money.ts';
import type { BacenSwitch } from './bacen-bank.ts';
import { listRoute } from './bacen-received.ts';
import { cobrViolationsOf, recViolationsOf } from './bacen-rec-request.ts';
import {
  cobrIn,
  cobrOf,
  type EmulatedAttempt,
  type EmulatedCobr,
  type EmulatedRec,
  recOf,
  withoutKey,
} from './bacen-rec-wire.ts';
import { centsOf } from './bacen-request.ts';
import { membersOf, pixOf, type Violation, written } from './bacen-wire.ts';
import { endOf, isDay } from './due.ts';
import type { EmulatedCharge, Ledger } from './ledger.ts';
import type { Exchange, Notification, Reply, Route } from './psp.ts';
import type { Switches } from './switches.ts';

interface Options {
  /** Path of the API up to its version. */
  base: string;
  patchBase: string;
  ledger: Ledger;
  has: Switches<BacenSwitch>['isOn'];
  refused: (status: number, type: string, nome: string, violations?: readonly Violation[]) => Reply;
  absent: (type: string, nome: string) => Reply;
  patchRefusal: (path: string) => Reply | undefined;
}

type Requester = 'PSP_PAGADOR' | 'USUARIO_PAGADOR' | 'PSP_RECEBEDOR' | 'USUARIO_RECEBEDOR';

/** What payers and their banks do. Each returns what the bank of the receiver then notifies. */
export interface PayersBank {
  readonly recs: readonly EmulatedRec[];
  /** By the journey of its code, unless another is given. */
  approve(idRec: string, journey?: string): Notification;
  decline(idRec: string, codigo?: string): Notification;
  revoke(idRec: string, by?: Requester, codigo?: string): Notification;
  /** Its last day has passed. */
  expire(idRec: string): Notification;
  /** Accepts the newest attempt of a debit. */
  schedule(txid: string): Notification;
  /** Takes the money: of the debit, and of its Pix. */
  debit(txid: string): Notification[];
  /** Fails the newest attempt: for want of money, or with a code. */
  fail(txid: string, codigo?: string): Notification;
  /** Tries no more. */
  giveUp(txid: string): Notification;
}

/** Attempts that these end refuse the whole debit (CobRTentativas of the API Pix 2.9.0). */
const finalCodes = ['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09'];
const openStates = ['SOLICITADA', 'AGENDADA'];
const dayMs = 86_400_000;
const txidPattern = '([a-zA-Z0-9]{26,35})';

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** `/rec`, `/locrec` and `/cobr` of the API Pix 2.9.0. A debit is a charge of the ledger whose details say what became of it. */
export function bacenRecurrences(options: Options): { routes: Route[]; payersBank: PayersBank } {
  const { base, patchBase, ledger, has, refused, absent, patchRefusal } = options;
  const recs: EmulatedRec[] = [];
  const locations: NonNullable<EmulatedRec['location']>[] = [];

  const today = (): string => brasiliaDay(ledger.now());
  const stamp = (status: string) => ({ status, data: ledger.now().toISOString() });
  const shown = (status: number, body: object): Reply => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: written(body, has),
  });
  const notification = (path: string, body: object): Notification => ({
    path,
    query: {},
    headers: {},
    body: written(body, has),
    hasCertificate: !has('unsigned'),
  });
  const invalid = (of: 'Rec' | 'CobR', violations?: readonly Violation[]): Reply =>
    refused(400, `${of}OperacaoInvalida`, 'operacao_invalida', violations);
  const absentRec = () => absent('RecNaoEncontrada', 'recorrencia_nao_encontrada');
  const absentCobr = () => absent('CobRNaoEncontrado', 'cobranca_nao_encontrada');

  const findRec = (idRec: string): EmulatedRec | undefined => recs.find((each) => each.idRec === idRec);
  const recNamed = (idRec: string): EmulatedRec => {
    const rec = findRec(idRec);
    if (!rec) throw new Error(`the emulator has no recurrence ${idRec}`);
    return rec;
  };
  const find = (txid: string): { charge: EmulatedCharge; cobr: EmulatedCobr } | undefined => {
    const charge = ledger.find(txid);
    const cobr = charge && cobrIn(charge);
    return charge && cobr && { charge, cobr };
  };
  const named = (txid: string) => {
    const found = find(txid);
    if (!found) throw new Error(`the emulator has no debit ${txid}`);
    return found;
  };

  function become(one: EmulatedRec | EmulatedCobr, status: string): void {
    one.status = status;
    one.changes.push(stamp(status));
  }
  function attemptBecomes(attempt: EmulatedAttempt, status: string): void {
    attempt.status = status;
    attempt.atualizacao.push(stamp(status));
  }
  function cancelCobr(cobr: EmulatedCobr, codigo: string, solicitante: Requester): void {
    become(cobr, 'CANCELADA');
    cobr.encerramento = { cancelamento: { solicitante, codigo, descricao: 'Cancelamento' } };
    for (const attempt of cobr.attempts)
      if (openStates.includes(attempt.status)) attemptBecomes(attempt, 'CANCELADA');
  }

  const newEndToEndId = (): string =>
    `E12345678${today().replaceAll('-', '')}0800${randomUUID().replaceAll('-', '').slice(0, 11)}`;
  const attemptOn = (dataLiquidacao: string, tipo: EmulatedAttempt['tipo']): EmulatedAttempt => ({
    dataLiquidacao,
    tipo,
    status: 'SOLICITADA',
    endToEndId: newEndToEndId(),
    atualizacao: [stamp('SOLICITADA')],
  });

  function postLocation(): Reply {
    const id = locations.length + 100;
    const token = createHash('md5').update(String(id)).digest('hex');
    const criacao = ledger.now().toISOString();
    const location = { id, location: `pix.bank.example/qr/v2/rec/${token}`, criacao };
    locations.push(location);
    return shown(201, location);
  }

  function postRec({ json }: Exchange): Reply {
    const used = new Set(recs.map(({ location }) => location?.id));
    const free = new Set(locations.map(({ id }) => id).filter((id) => !used.has(id)));
    const violations = recViolationsOf(json, today(), free);
    if (violations.length > 0) return invalid('Rec', violations);
    const retries = json['politicaRetentativa'] === 'PERMITE_3R_7D' ? 'R' : 'N';
    const rec: EmulatedRec = {
      idRec: `R${retries}12345678${today().replaceAll('-', '')}${randomUUID().replaceAll('-', '').slice(0, 11)}`,
      json,
      status: 'CRIADA',
      changes: [stamp('CRIADA')],
      createdAt: ledger.now(),
      location: locations.find(({ id }) => id === json['loc']),
      txid: membersOf(membersOf(json['ativacao'])['dadosJornada'])['txid'] as string | undefined,
      journey: 'AGUARDANDO_DEFINICAO',
    };
    recs.push(rec);
    return shown(201, recOf(rec, has, { hasCode: false }));
  }

  function getRec({ parameters: [idRec = ''], query }: Exchange): Reply {
    const rec = findRec(idRec);
    if (!rec) return absentRec();
    const txid = query.get('txid');
    if (txid === null) return shown(200, recOf(rec, has, { hasCode: true }));
    const charge = ledger.find(txid);
    const isOther = charge && !charge.due && txid !== rec.txid;
    if (!charge || isOther) return refused(400, 'RecConsultaInvalida', 'consulta_invalida');
    return shown(200, recOf(rec, has, { charge, hasCode: true }));
  }

  function patchRec({ parameters: [idRec = ''], json, path }: Exchange): Reply {
    const refusal = patchRefusal(path);
    if (refusal) return refusal;
    const rec = findRec(idRec);
    if (!rec) return absentRec();
    const isCancel = json['status'] === 'CANCELADA' && Object.keys(json).length === 1;
    if (!isCancel || !['CRIADA', 'APROVADA'].includes(rec.status)) return invalid('Rec');
    end(rec, 'USUARIO_RECEBEDOR', 'SLCR');
    return has('emptyCancel') ? { status: 200 } : shown(200, recOf(rec, has, { hasCode: false }));
  }

  /** What is scheduled of it is cancelled too. */
  function end(rec: EmulatedRec, solicitante: Requester, codigo: string): void {
    become(rec, 'CANCELADA');
    rec.encerramento = { cancelamento: { solicitante, codigo, descricao: 'Cancelamento solicitado' } };
    for (const { cobr } of cobrsOf(rec.idRec))
      if (['CRIADA', 'ATIVA'].includes(cobr.status)) cancelCobr(cobr, 'SLCR', solicitante);
  }

  function cobrsOf(idRec?: string) {
    return ledger.charges.flatMap((charge) => {
      const cobr = cobrIn(charge);
      return cobr && (idRec === undefined || cobr.json['idRec'] === idRec) ? [{ charge, cobr }] : [];
    });
  }

  const dueDayOf = ({ json }: EmulatedCobr): string =>
    String(membersOf(json['calendario'])['dataDeVencimento']);

  function putCobr({ parameters: [transactionId = ''], json }: Exchange): Reply {
    if (ledger.find(transactionId))
      return invalid('CobR', [{ razao: 'O campo cobr.txid encontra-se em uso.', propriedade: 'cobr.txid' }]);
    const rec = findRec(String(json['idRec']));
    if (!rec) return absentRec();
    const liveDays = (has('severalInCycle') ? [] : cobrsOf(rec.idRec))
      .filter(({ cobr }) => !['REJEITADA', 'CANCELADA'].includes(cobr.status))
      .map(({ cobr }) => dueDayOf(cobr));
    const violations = cobrViolationsOf(json, { rec, today: today(), liveDays });
    if (violations.length > 0) return invalid('CobR', violations);
    const cobr: EmulatedCobr = { json, status: 'CRIADA', changes: [stamp('CRIADA')], attempts: [] };
    cobr.attempts.push(attemptOn(dueDayOf(cobr), 'AGND'));
    const charge = ledger.add({
      transactionId,
      reference: transactionId,
      amountInCents: centsOf(membersOf(json['valor'])['original']) ?? cents(0),
      expiresAt: endOf(dayAfter(dueDayOf(cobr), 8)),
      details: { cobr },
    });
    return shown(201, cobrOf(charge, cobr, has, false));
  }

  function getCobr({ parameters: [txid = ''] }: Exchange): Reply {
    const found = find(txid);
    return found ? shown(200, cobrOf(found.charge, found.cobr, has, true)) : absentCobr();
  }

  /** 22:00 in Brasília on the day before, after which payers' banks take no change (EBANX, Cielo). */
  const isTooLateFor = (day: string): boolean =>
    ledger.now() >= new Date(`${dayAfter(day, -1)}T22:00:00-03:00`);

  function patchCobr({ parameters: [txid = ''], json, path }: Exchange): Reply {
    const refusal = patchRefusal(path);
    if (refusal) return refusal;
    const found = find(txid);
    if (!found) return absentCobr();
    const { charge, cobr } = found;
    const isCancel = json['status'] === 'CANCELADA' && Object.keys(json).length === 1;
    const isOpen = ['CRIADA', 'ATIVA'].includes(cobr.status);
    const [first] = cobr.attempts;
    if (!isCancel || !isOpen || !first || isTooLateFor(first.dataLiquidacao)) return invalid('CobR');
    cancelCobr(cobr, 'SLCR', 'USUARIO_RECEBEDOR');
    charge.isCancelled = true;
    return has('emptyCancel') ? { status: 200 } : shown(200, cobrOf(charge, cobr, has, false));
  }

  function postRetry({ parameters: [txid = '', day = ''] }: Exchange): Reply {
    const found = find(txid);
    if (!found) return absentCobr();
    const { charge, cobr } = found;
    const no = (razao: string) => invalid('CobR', [{ razao, propriedade: 'cobr.tentativas' }]);
    if (!String(cobr.json['idRec']).startsWith('RR')) return no('A política não permite retentativa.');
    if (cobr.status !== 'ATIVA') return no('A cobrança não está ativa.');
    if (cobr.attempts.some(({ status }) => openStates.includes(status)))
      return no('Existe uma tentativa com status SOLICITADA ou AGENDADA.');
    if (cobr.attempts.some(({ dataLiquidacao }) => dataLiquidacao === day))
      return no('Existe uma tentativa vigente para a data informada.');
    const isFuture = isDay(day) && day > today() && !isTooLateFor(day);
    if (!isFuture) return no('O parâmetro data não corresponde a uma data futura.');
    if (cobr.attempts.length > 3 || day > dayAfter(dueDayOf(cobr), 7)) return no('Não há mais tentativas.');
    cobr.attempts.push(attemptOn(day, 'NTAG'));
    return shown(201, cobrOf(charge, cobr, has, true));
  }

  function getPix({ parameters: [endToEndId = ''] }: Exchange): Reply {
    const charge = ledger.findByEndToEndId(endToEndId);
    const pix = charge?.pix.find((each) => each.endToEndId === endToEndId);
    return charge && pix
      ? shown(200, pixOf(charge, pix, has, true))
      : absent('PixNaoEncontrado', 'pix_nao_encontrado');
  }

  const isWanted = (rec: EmulatedRec, query: URLSearchParams): boolean => {
    const { cpf, cnpj } = membersOf(membersOf(rec.json['vinculo'])['devedor']);
    return (
      (query.get('cpf') ?? cpf) === cpf &&
      (query.get('cnpj') ?? cnpj) === cnpj &&
      (query.get('status') ?? rec.status) === rec.status &&
      query.get('locationPresente') !== String(!rec.location) &&
      !query.has('convenio')
    );
  };

  const recTold = (rec: EmulatedRec): Notification => {
    const { idRec, status, atualizacao, ativacao, encerramento } = recOf(rec, has, {
      hasCode: false,
    }) as Record<string, unknown>;
    return notification('/rec', { recs: [{ idRec, status, atualizacao, ativacao, encerramento }] });
  };
  const cobrTold = (charge: EmulatedCharge, cobr: EmulatedCobr): Notification => {
    const { idRec, txid, status, atualizacao, tentativas, pix, encerramento } = cobrOf(
      charge,
      cobr,
      has,
      true,
    ) as Record<string, unknown>;
    return notification('/cobr', {
      cobsr: [{ idRec, txid, status, atualizacao, tentativas, pix, encerramento }],
    });
  };

  const newestOf = (cobr: EmulatedCobr): EmulatedAttempt => {
    const attempt = cobr.attempts.at(-1);
    if (!attempt || !openStates.includes(attempt.status)) throw new Error('no attempt is open');
    return attempt;
  };

  const payersBank: PayersBank = {
    recs,
    approve(idRec, journey) {
      const rec = recNamed(idRec);
      rec.journey = journey ?? (rec.txid === undefined ? 'JORNADA_2' : 'JORNADA_3');
      // The bank of the receiver takes it out of other journeys (RecAtivacao).
      if (rec.journey !== 'JORNADA_3') rec.txid = undefined;
      become(rec, 'APROVADA');
      return recTold(rec);
    },
    decline(idRec, codigo = 'AP13') {
      const rec = recNamed(idRec);
      become(rec, 'REJEITADA');
      rec.encerramento = { rejeicao: { codigo, descricao: 'Rejeitada pelo usuário pagador' } };
      return recTold(rec);
    },
    revoke(idRec, by = 'USUARIO_PAGADOR', codigo = 'SLDB') {
      const rec = recNamed(idRec);
      end(rec, by, codigo);
      return recTold(rec);
    },
    expire(idRec) {
      const rec = recNamed(idRec);
      become(rec, 'EXPIRADA');
      return recTold(rec);
    },
    schedule(txid) {
      const { charge, cobr } = named(txid);
      attemptBecomes(newestOf(cobr), 'AGENDADA');
      if (cobr.status === 'CRIADA') become(cobr, 'ATIVA');
      return cobrTold(charge, cobr);
    },
    debit(txid) {
      const { charge, cobr } = named(txid);
      const attempt = newestOf(cobr);
      const pix = ledger.pay(charge);
      attempt.endToEndId = pix.endToEndId;
      attemptBecomes(attempt, 'PAGA');
      become(cobr, 'CONCLUIDA');
      const received = withoutKey(pixOf(charge, pix, has, true));
      return [cobrTold(charge, cobr), notification('/pix', { pix: [received] })];
    },
    fail(txid, codigo) {
      const { charge, cobr } = named(txid);
      const attempt = newestOf(cobr);
      attemptBecomes(attempt, codigo ? 'REJEITADA' : 'EXPIRADA');
      if (codigo) attempt.rejeicao = { codigo, descricao: 'Rejeitada' };
      if (cobr.status === 'CRIADA') become(cobr, 'ATIVA');
      if (codigo && finalCodes.includes(codigo)) {
        become(cobr, 'REJEITADA');
        cobr.encerramento = { rejeicao: { codigo, descricao: 'Rejeitada' } };
      }
      return cobrTold(charge, cobr);
    },
    giveUp(txid) {
      const { charge, cobr } = named(txid);
      become(cobr, 'EXPIRADA');
      return cobrTold(charge, cobr);
    },
  };

  const at = (path: string) => new RegExp(base + path);
  const patchAt = (path: string) => new RegExp(`(?:${base}|${patchBase})${path}`);
  const isCobrWanted = (cobr: EmulatedCobr, query: URLSearchParams): boolean =>
    (query.get('idRec') ?? cobr.json['idRec']) === cobr.json['idRec'] &&
    (query.get('status') ?? cobr.status) === cobr.status;

  const routes: Route[] = [
    { operation: 'prepare', method: 'POST', path: at('/locrec'), reply: postLocation },
    { operation: 'create', method: 'POST', path: at('/rec'), reply: postRec },
    { operation: 'find', method: 'GET', path: at('/rec/([^/]+)'), reply: getRec },
    { operation: 'cancel', method: 'PATCH', path: patchAt('/rec/([^/]+)'), reply: patchRec },
    { operation: 'create', method: 'PUT', path: at(`/cobr/${txidPattern}`), reply: putCobr },
    { operation: 'find', method: 'GET', path: at(`/cobr/${txidPattern}`), reply: getCobr },
    { operation: 'cancel', method: 'PATCH', path: patchAt(`/cobr/${txidPattern}`), reply: patchCobr },
    {
      operation: 'revise',
      method: 'POST',
      path: at(`/cobr/${txidPattern}/retentativa/([^/]+)`),
      reply: postRetry,
    },
    { operation: 'find', method: 'GET', path: at('/pix/([^/]+)'), reply: getPix },
    listRoute(options, ['rec', 'RecConsultaInvalida'], (isIn, query) =>
      recs
        .filter((rec) => isIn(rec.createdAt) && isWanted(rec, query))
        .map((rec) => recOf(rec, has, { hasCode: false })),
    ),
    listRoute(options, ['cobr', 'CobRConsultaInvalida'], (isIn, query) =>
      cobrsOf()
        .filter(({ charge, cobr }) => isIn(charge.createdAt) && isCobrWanted(cobr, query))
        .map(({ charge, cobr }) => cobrOf(charge, cobr, has, true)),
    ),
  ];
  return { routes, payersBank };
}
