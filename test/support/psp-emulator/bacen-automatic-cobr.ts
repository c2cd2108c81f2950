import { randomBytes } from 'node:crypto';
import { cents } from '../../../src/core/base/money.ts';
import { daysLater, isBusinessDay } from '../due/second-reckoning.ts';
import { daysUntil, isAfterCutOff, nextCycle, no, type Outcome } from './automatic.ts';
import { type AutomaticApi, isAsked } from './bacen-automatic-api.ts';
import {
  type Attempt,
  cancelled,
  type Cobr,
  cobrBody,
  cobrOf,
  cobrStateOf,
  type CobrStatus,
  codeOf,
  fatal,
  type Rec,
  statusOf,
  violationsIn,
} from './bacen-automatic-wire.ts';
import { listRoute } from './bacen-received.ts';
import { centsOf } from './bacen-request.ts';
import { endOf } from './due.ts';
import type { Exchange, Reply, Route } from './psp.ts';

const periods = { SEMANAL: 'week', MENSAL: 1, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 } as const;

/** Of the receiver. */
const account = { agencia: '9708', conta: '012682' };

const isLive = (attempt: Attempt): boolean => ['SOLICITADA', 'AGENDADA'].includes(statusOf(attempt));
const isOpen = (cobr: Cobr): boolean => ['CRIADA', 'ATIVA'].includes(statusOf(cobr));
/** DTNT: "a partir de D+8, considerando D0, a data do vencimento". */
const lastRetryDayOf = ({ body }: Cobr): string => daysLater(body.calendario.dataDeVencimento, 7);

/** `/cobr` of the API Pix 2.9.0. */
export function debitsAt(api: AutomaticApi, findRec: (idRec: string) => Rec | undefined) {
  const { at, patchAt, ledger, has, refused, absent, patchRefusal, today, done, against, journal } = api;
  const cobrs: Cobr[] = [];
  const cobrPath = '/cobr/([a-zA-Z0-9]{26,35})';

  function moveCobr(cobr: Cobr, status: CobrStatus, end?: object): void {
    if (status !== statusOf(cobr)) cobr.history.push({ status, data: ledger.now() });
    if (end) cobr.end = end;
    api.tell('/cobr', { cobsr: [cobrStateOf(cobr, has)] });
  }

  api.turns.push(() => {
    const day = today();
    for (const cobr of cobrs) {
      if (statusOf(cobr) === 'CRIADA') {
        ask(cobr, cobr.day, 'AGND');
        moveCobr(cobr, 'ATIVA');
      }
      // Most have ended, and each request asks.
      if (statusOf(cobr) !== 'ATIVA') continue;
      const isRetried = cobr.rec.body.politicaRetentativa === 'PERMITE_3R_7D';
      const last = isRetried ? lastRetryDayOf(cobr) : daysLater(cobr.day, -1);
      const isOver = last < day && cobr.attempts.length > 0 && !cobr.attempts.some(isLive);
      if (isOver) moveCobr(cobr, 'EXPIRADA');
    }
  });

  function ask(cobr: Cobr, day: string, tipo: Attempt['tipo']): void {
    const minute = ledger.now().toISOString().replaceAll(/\D/g, '').slice(0, 12);
    const endToEndId = `E12345678${minute}${randomBytes(6).toString('hex').slice(0, 11)}`;
    cobr.attempts.push({ day, tipo, endToEndId, history: [{ status: 'SOLICITADA', data: ledger.now() }] });
  }

  const cycleOf = ({ body: { calendario } }: Rec, day: string): string =>
    nextCycle(calendario.dataInicial, periods[calendario.periodicidade], day);

  /** What the API Pix lists as a violation of `PUT /cobr/{txid}`. */
  function violationOf(rec: Rec, body: Cobr['body']): string | undefined {
    const { calendario, recebedor } = body;
    const cycle = cycleOf(rec, calendario.dataDeVencimento);
    if (calendario.dataDeVencimento < today())
      return 'O campo `cobr.calendario.dataDeVencimento` é anterior à data de criação da cobrança.';
    if (recebedor.conta !== account.conta || (recebedor.agencia ?? account.agencia) !== account.agencia)
      return 'Os campos `cobr.recebedor.conta` e `cobr.recebedor.agencia` correspondem a uma conta que não pertence a este usuário recebedor.';
    const isTaken =
      !has('severalInCycle') &&
      cobrs.some(
        (each) =>
          each.rec === rec &&
          !['REJEITADA', 'CANCELADA'].includes(statusOf(each)) &&
          cycleOf(rec, each.body.calendario.dataDeVencimento) === cycle,
      );
    return isTaken
      ? 'Existe uma CobR com status diferente de REJEITADA e CANCELADA referente ao mesmo `cobr.idRec` com `calendario.dataDeVencimento` no mesmo ciclo.'
      : undefined;
  }

  /** What the scheme forbids besides, by the code with which a payer's bank rejects it. */
  function codeAgainst(rec: Rec, { calendario, valor }: Cobr['body'], day: string): string | undefined {
    const { valorRec } = rec.body.valor ?? {};
    const days = daysUntil(ledger.now(), day);
    const { dataInicial, dataFinal = '9999' } = rec.body.calendario;
    if (statusOf(rec) !== 'APROVADA') return 'MSUC';
    if (valorRec !== undefined && valorRec !== valor.original) return 'AM09';
    const isOutside = calendario.dataDeVencimento < dataInicial || calendario.dataDeVencimento > dataFinal;
    return isOutside || days < 2 || days > 10 ? 'DTED' : undefined;
  }

  function inUse(): Reply {
    if (has('ownWords')) return refused(400, 'RequisicaoInvalida', 'identificador_ja_utilizado');
    // Efí says so of immediate charges.
    if (api.flavour === 'efi') return refused(409, 'CobROperacaoInvalida', 'txid_duplicado');
    return against('CobROperacaoInvalida', 'O campo `cobr.txid` encontra-se em uso.', 'cobr.txid');
  }

  function putCobr({ parameters: [txid = ''], json }: Exchange): Reply {
    const parsed = cobrBody.safeParse(json);
    if (!parsed.success)
      return refused(400, 'CobROperacaoInvalida', 'json_invalido', violationsIn('cobr', parsed.error));
    api.turn();
    const { data: body } = parsed;
    const rec = findRec(body.idRec);
    if (!rec) return absent('RecNaoEncontrada', 'recorrencia_nao_encontrada');
    const day = body.ajusteDiaUtil
      ? businessDayFrom(body.calendario.dataDeVencimento)
      : body.calendario.dataDeVencimento;
    const code = codeAgainst(rec, body, day);
    const { dataDeVencimento } = body.calendario;
    const asked = { act: 'create', recurrenceId: rec.idRec, day: dataDeVencimento } as const;
    if (ledger.find(txid)) {
      journal.push({ ...asked, isAccepted: false });
      return inUse();
    }
    const reason =
      violationOf(rec, body) ??
      (code && !has('bankChecks') ? `O participante do pagador rejeitaria a cobrança: ${code}.` : undefined);
    const isAccepted = reason === undefined;
    journal.push({ ...asked, isAccepted });
    if (reason !== undefined) return against('CobROperacaoInvalida', reason, 'cobr');
    const charge = ledger.add({
      transactionId: txid,
      reference: txid,
      amountInCents: centsOf(body.valor.original) ?? cents(0),
      expiresAt: endOf(daysLater(day, 7)),
      details: { isDebit: true, ...(code && { code }) },
    });
    const history: Cobr['history'] = [{ status: 'CRIADA', data: ledger.now() }];
    const cobr = { rec, body, day, charge, history, attempts: [] };
    cobrs.push(cobr);
    moveCobr(cobr, 'CRIADA');
    return done(201, cobrOf(cobr, has));
  }

  function patchCobr(cobr: Cobr, { json, path }: Exchange): Reply {
    const refusal = patchRefusal(path);
    if (refusal) return refusal;
    const isCancel = json['status'] === 'CANCELADA' && Object.keys(json).length === 1;
    const reason = !isCancel
      ? 'O campo `cobr.status` não respeita o _schema_.'
      : isTooLateFor(cobr.day)
        ? 'Não é possível cancelar uma cobrança em uma data igual ou maior que a data prevista da primeira tentativa de liquidação.'
        : isOpen(cobr)
          ? undefined
          : 'A cobrança não pode ser cancelada.';
    const { dataDeVencimento: day } = cobr.body.calendario;
    journal.push({ act: 'cancel', recurrenceId: cobr.rec.idRec, day, isAccepted: !reason });
    if (reason) return against('CobROperacaoInvalida', reason, 'cobr.status');
    callOff(cobr, cancelled('USUARIO_RECEBEDOR', 'SLCR'));
    return has('emptyCancel') ? { status: 200 } : done(200, cobrOf(cobr, has));
  }

  /** Banks take no change from 22:00 of the day before (EBANX, Cielo). */
  const isTooLateFor = (day: string): boolean =>
    has('untilMidnight') ? today() >= day : isAfterCutOff(ledger.now(), day);

  function callOff(cobr: Cobr, why: object): void {
    cobr.charge.isCancelled = true;
    cobr.attempts.find(isLive)?.history.push({ status: 'CANCELADA', data: ledger.now() });
    moveCobr(cobr, 'CANCELADA', why);
  }

  function postRetry(cobr: Cobr, { parameters: [, day = ''] }: Exchange): Reply {
    const retries = cobr.attempts.filter(({ tipo }) => tipo === 'NTAG');
    const isTooMany = retries.length >= 3 || retries.some((each) => each.day === day);
    const isTooLate = day > lastRetryDayOf(cobr) || day >= cycleOf(cobr.rec, cobr.day);
    const code = isTooMany ? 'QUNT' : isTooLate ? 'DTNT' : undefined;
    const reason =
      cobr.rec.body.politicaRetentativa === 'NAO_PERMITE'
        ? 'A política configurada na recorrência não permite retentativa de cobrança.'
        : cobr.attempts.some(isLive)
          ? 'Existe uma tentativa com status `SOLICITADA` ou `AGENDADA`.'
          : day <= today() || isTooLateFor(day)
            ? 'O parâmetro `data` não corresponde a uma data futura.'
            : statusOf(cobr) !== 'ATIVA'
              ? 'A cobrança não está ativa.'
              : code && !has('bankChecks')
                ? `O participante do pagador rejeitaria a tentativa: ${code}.`
                : undefined;
    journal.push({ act: 'retry', recurrenceId: cobr.rec.idRec, day, isAccepted: !reason });
    if (reason) return against('CobROperacaoInvalida', reason, 'data');
    ask(cobr, day, 'NTAG');
    if (code) cobr.charge.details['code'] = code;
    moveCobr(cobr, 'ATIVA');
    return done(201, cobrOf(cobr, has));
  }

  function reject(cobr: Cobr, attempt: Attempt, outcome: Exclude<Outcome, 'paid'>): void {
    const code = codeOf(outcome);
    attempt.history.push({ status: code ? 'REJEITADA' : 'EXPIRADA', data: ledger.now() });
    if (code) attempt.code = code;
    const isOver = cobr.rec.body.politicaRetentativa === 'NAO_PERMITE' && cobr.day <= today();
    if (code && fatal.includes(code))
      moveCobr(cobr, 'REJEITADA', { rejeicao: { codigo: code, descricao: 'Rejeição.' } });
    else moveCobr(cobr, isOver ? 'EXPIRADA' : 'ATIVA');
  }

  /** Of a recurrence that was cancelled. A debit of today goes its way. */
  function callOffThoseOf(rec: Rec): void {
    for (const cobr of cobrs.filter((each) => each.rec === rec && isOpen(each))) {
      const live = cobr.attempts.find(isLive);
      if (live && isAfterCutOff(ledger.now(), live.day)) continue;
      callOff(cobr, cancelled('PSP_RECEBEDOR', 'CCLD'));
    }
  }

  const withCobr = (act: (cobr: Cobr, exchange: Exchange) => Reply) => (exchange: Exchange) => {
    api.turn();
    const cobr = cobrs.find(({ charge }) => charge.transactionId === exchange.parameters[0]);
    return cobr ? act(cobr, exchange) : absent('CobRNaoEncontrado', 'cobranca_nao_encontrada');
  };

  const routes: Route[] = [
    { operation: 'create', method: 'PUT', path: at(cobrPath), reply: putCobr },
    {
      operation: 'find_debit',
      method: 'GET',
      path: at(cobrPath),
      reply: withCobr((cobr) => done(200, cobrOf(cobr, has))),
    },
    { operation: 'cancel', method: 'PATCH', path: patchAt(cobrPath), reply: withCobr(patchCobr) },
    {
      operation: 'retry_debit',
      method: 'POST',
      path: at(`${cobrPath}/retentativa/([^/]+)`),
      reply: withCobr(postRetry),
    },
    listRoute(api, ['cobr', 'CobRConsultaInvalida'], (isIn, query) => {
      api.turn();
      return cobrs
        .filter((cobr) => {
          const isWanted = { idRec: cobr.rec.idRec, status: statusOf(cobr) };
          return isIn(cobr.charge.createdAt) && isAsked(query, isWanted);
        })
        .map((cobr) => cobrOf(cobr, has));
    }),
  ];

  const liveOf = (txid: string, status: 'SOLICITADA' | 'AGENDADA') => {
    api.turn();
    const cobr = cobrs.find(({ charge }) => charge.transactionId === txid) ?? no(`there is no debit ${txid}`);
    const attempt = cobr.attempts.at(-1);
    return attempt && statusOf(attempt) === status
      ? { cobr, attempt }
      : no(`no attempt of ${txid} is ${status}`);
  };

  const controls = {
    debits() {
      api.turn();
      return cobrs.map((cobr) => ({
        id: cobr.charge.transactionId,
        recurrenceId: cobr.rec.idRec,
        day: cobr.body.calendario.dataDeVencimento,
        amountInCents: cobr.charge.amountInCents,
        status: statusOf(cobr),
        attempts: cobr.attempts.map((each) => ({ day: each.day, status: statusOf(each), code: each.code })),
        pix: cobr.charge.pix,
        madeAt: cobr.charge.createdAt,
        endedAt: isOpen(cobr) ? undefined : cobr.history.at(-1)?.data,
      }));
    },
    schedules(txid: string) {
      const { cobr, attempt } = liveOf(txid, 'SOLICITADA');
      const { code } = cobr.charge.details;
      delete cobr.charge.details['code'];
      if (typeof code === 'string') {
        reject(cobr, attempt, { code });
        return;
      }
      attempt.history.push({ status: 'AGENDADA', data: ledger.now() });
      moveCobr(cobr, 'ATIVA');
    },
    declines(txid: string, outcome: Outcome) {
      if (outcome === 'paid') return no('a debit is not paid before its day');
      const { cobr, attempt } = liveOf(txid, 'SOLICITADA');
      reject(cobr, attempt, outcome);
    },
    callsOff(txid: string) {
      const { cobr, attempt } = liveOf(txid, 'AGENDADA');
      if (today() >= attempt.day) no('a payer calls a debit off until the day before');
      callOff(cobr, cancelled('USUARIO_PAGADOR', 'SLBD'));
    },
    settles(txid: string, outcome: Outcome) {
      const { cobr, attempt } = liveOf(txid, 'AGENDADA');
      if (attempt.day !== today()) no(`the debit of ${attempt.day} is not settled on ${today()}`);
      if (outcome !== 'paid' && outcome !== 'already_paid') {
        reject(cobr, attempt, outcome);
        return;
      }
      Object.assign(ledger.pay(cobr.charge), { endToEndId: attempt.endToEndId });
      attempt.history.push({ status: outcome === 'paid' ? 'PAGA' : 'REJEITADA', data: ledger.now() });
      if (outcome === 'already_paid') attempt.code = 'NIPA';
      moveCobr(cobr, 'CONCLUIDA');
    },
  };

  return { callOffThoseOf, routes, controls };
}

function businessDayFrom(day: string): string {
  return isBusinessDay(day) ? day : businessDayFrom(daysLater(day, 1));
}
