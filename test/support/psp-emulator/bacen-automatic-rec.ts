import { randomBytes } from 'node:crypto';
import { buildRecurrenceBrCode } from '@pix-service/br-code';
import { no } from './automatic.ts';
import { type AutomaticApi, isAsked } from './bacen-automatic-api.ts';
import {
  cancelled,
  type Location,
  locOf,
  type Rec,
  recBody,
  recOf,
  recPatch,
  type RecStatus,
  recStateOf,
  type Solicitation,
  solicBody,
  type SolicStatus,
  solicitationOf,
  statusOf,
  violationsIn,
} from './bacen-automatic-wire.ts';
import { listRoute } from './bacen-received.ts';
import { locationOf } from './bacen-wire.ts';
import { isDebit } from './ledger.ts';
import type { Exchange, Reply, Route } from './psp.ts';

/** `/locrec`, `/rec` and `/solicrec` of the API Pix 2.9.0. `ended` is for the debits of one that has been cancelled. */
export function recurrencesAt(api: AutomaticApi, ended: (rec: Rec) => void) {
  const { at, patchAt, ledger, has, refused, absent, patchRefusal, today, done, against, journal } = api;
  const locations: Location[] = [];
  const recs: Rec[] = [];
  /** Whose code was last asked for together with a charge that has a due date. */
  const shownWithDue = new Set<Rec>();
  const recPath = '/rec/([a-zA-Z0-9]{29})';

  function move(rec: Rec, status: RecStatus, end?: object): void {
    rec.history.push({ status, data: ledger.now() });
    if (end) rec.end = end;
    api.tell('/rec', { recs: [recStateOf(rec, has)] });
  }

  function end(rec: Rec, why: object): void {
    move(rec, 'CANCELADA', why);
    const live = rec.solicitations.find(isPending);
    if (live) moveSolicitation(live, 'CANCELADA');
    ended(rec);
  }

  api.turns.push(() => {
    for (const rec of recs) {
      const { dataFinal = '9999' } = rec.body.calendario;
      if (['CRIADA', 'APROVADA'].includes(statusOf(rec)) && dataFinal < today()) move(rec, 'EXPIRADA');
      for (const each of rec.solicitations.filter(isPending)) {
        if (new Date(each.body.calendario.dataExpiracaoSolicitacao) <= ledger.now())
          moveSolicitation(each, 'EXPIRADA');
        else if (statusOf(each) !== 'RECEBIDA')
          for (const status of ['ENVIADA', 'RECEBIDA'] as const) moveSolicitation(each, status);
      }
    }
  });

  const moveSolicitation = (each: Solicitation, status: SolicStatus) =>
    each.history.push({ status, data: ledger.now() });

  const locationNamed = (id: unknown) => locations.find((each) => each.id === Number(id));
  const recAt = (loc: Location) => recs.find((rec) => rec.loc === loc);

  /** What is the matter with the location or the journey that a body names. */
  function badLinks(body: { loc?: number | undefined }, rec?: Rec): string | undefined {
    if (body.loc === undefined) return undefined;
    const loc = locationNamed(body.loc);
    if (!loc) return 'O location referenciado por `rec.loc` inexiste.';
    const owner = recAt(loc);
    return owner && owner !== rec
      ? 'O location referenciado por `rec.loc` já está sendo utilizado por outra recorrência.'
      : undefined;
  }

  function postRec({ json }: Exchange): Reply {
    const parsed = recBody.safeParse(json);
    if (!parsed.success)
      return refused(400, 'RecOperacaoInvalida', 'json_invalido', violationsIn('rec', parsed.error));
    const { calendario, valor, politicaRetentativa, loc, ativacao } = parsed.data;
    const reason =
      calendario.dataInicial < today()
        ? 'O campo `rec.calendario.dataInicial` é anterior à data de criação da recorrência.'
        : (calendario.dataFinal ?? '9999') < calendario.dataInicial
          ? 'O campo `rec.calendario.dataFinal` é anterior ao campo `rec.calendario.dataInicial`.'
          : valor?.valorRec && valor.valorMinimoRecebedor
            ? 'Ambos os campos `rec.valor.valorRec` e `rec.valor.valorMinimoRecebedor` estão preenchidos.'
            : badLinks(parsed.data);
    if (reason) return against('RecOperacaoInvalida', reason, 'rec');
    const kind = politicaRetentativa === 'NAO_PERMITE' ? 'RN' : 'RR';
    const rec: Rec = {
      idRec: `${kind}12345678${today().replaceAll('-', '')}${randomBytes(8).toString('hex').slice(0, 11)}`,
      body: parsed.data,
      createdAt: ledger.now(),
      history: [],
      solicitations: [],
      tipoJornada: 'AGUARDANDO_DEFINICAO',
      loc: loc === undefined ? undefined : locationNamed(loc),
      txid: ativacao?.dadosJornada.txid,
    };
    recs.push(rec);
    move(rec, 'CRIADA');
    return done(201, recOf(rec, has));
  }

  function patchRec(rec: Rec, { json, path }: Exchange): Reply {
    const refusal = patchRefusal(path);
    if (refusal) return refusal;
    const parsed = recPatch.safeParse(json);
    if (!parsed.success)
      return refused(400, 'RecOperacaoInvalida', 'json_invalido', violationsIn('rec', parsed.error));
    const { status, loc, calendario, ativacao, vinculo } = parsed.data;
    const isCreated = statusOf(rec) === 'CRIADA';
    const reason =
      !isCreated && statusOf(rec) !== 'APROVADA'
        ? 'A recorrência encontra-se expirada, cancelada ou rejeitada.'
        : !isCreated && loc !== undefined
          ? 'O campo `rec.loc` somente pode ser alterado quando a recorrência apresentar-se com o status CRIADA.'
          : !isCreated && calendario
            ? 'O campo `rec.calendario.dataInicial` somente pode ser alterado quando a recorrência apresentar-se com o status CRIADA.'
            : (calendario?.dataInicial ?? '9999') < today()
              ? 'O campo `rec.calendario.dataInicial` é anterior à data de criação da recorrência.'
              : badLinks(parsed.data, rec);
    if (status) journal.push({ act: 'end', recurrenceId: rec.idRec, isAccepted: !reason });
    if (reason) return against('RecOperacaoInvalida', reason, 'rec');
    if (loc !== undefined) rec.loc = locationNamed(loc);
    if (ativacao) rec.txid = ativacao.dadosJornada.txid;
    Object.assign(rec.body.calendario, calendario);
    Object.assign(rec.body.vinculo.devedor, vinculo?.devedor);
    if (status) end(rec, cancelled('USUARIO_RECEBEDOR', 'SLCR'));
    return done(200, recOf(rec, has));
  }

  /** RecCompleta with the code of the journey that the query asks for. */
  function getRec(rec: Rec, { query }: Exchange): Reply {
    const txid = query.get('txid');
    const charge = txid === null ? undefined : ledger.find(txid);
    if (txid !== null && (!charge || isDebit(charge)))
      return absent('CobNaoEncontrado', 'cobranca_nao_encontrada');
    if (charge && !charge.due && rec.txid !== undefined && rec.txid !== txid) {
      return against(
        'RecConsultaInvalida',
        'o parâmetro `txid` corresponde a uma cobrança imediata diferente da informada no campo `ativação.dadosJornada.txid`.',
        'txid',
      );
    }
    if (!rec.loc) return done(200, recOf(rec, has));
    const pixCopiaECola = buildRecurrenceBrCode({
      merchantName: 'Loja',
      merchantCity: 'Ouro Preto',
      recurrenceLocation: rec.loc.location,
      location: charge && locationOf(charge),
    });
    const jornada = charge ? (charge.due ? 'JORNADA_4' : 'JORNADA_3') : 'JORNADA_2';
    if (charge?.due) shownWithDue.add(rec);
    return done(200, recOf(rec, has, { jornada, pixCopiaECola }));
  }

  function postSolicitation({ json }: Exchange): Reply {
    api.turn();
    const type = 'SolicRecOperacaoInvalida';
    const parsed = solicBody.safeParse(json);
    if (!parsed.success) return refused(400, type, 'json_invalido', violationsIn('solicrec', parsed.error));
    const { idRec, calendario } = parsed.data;
    const rec = recs.find((each) => each.idRec === idRec);
    if (!rec) return absent('RecNaoEncontrada', 'recorrencia_nao_encontrada');
    const days = (Date.parse(calendario.dataExpiracaoSolicitacao) - ledger.now().getTime()) / 86_400_000;
    const reason =
      days <= 0
        ? 'O campo `solicrec.calendario.dataExpiracaoSolicitacao` é anterior à data de criação da solicitação da recorrência.'
        : days > 30
          ? 'O objeto `solicrec.calendario` não respeita o _schema_.'
          : rec.solicitations.some(isPending)
            ? 'Existe uma solicitação ativa referente ao mesmo `solicrec.idRec`.'
            : statusOf(rec) === 'CRIADA'
              ? undefined
              : 'A recorrência não está criada.';
    if (reason) return against(type, reason, 'solicrec');
    const made: Solicitation = {
      idSolicRec: `SC12345678${today().replaceAll('-', '')}${randomBytes(8).toString('hex').slice(0, 11)}`,
      body: parsed.data,
      history: [{ status: 'CRIADA', data: ledger.now() }],
    };
    rec.solicitations.push(made);
    return done(201, solicitationOf(made, has));
  }

  function patchSolicitation(each: Solicitation, { json, path }: Exchange): Reply {
    const refusal = patchRefusal(path);
    if (refusal) return refusal;
    if (json['status'] !== 'CANCELADA' || !isPending(each)) {
      return against(
        'SolicRecOperacaoInvalida',
        'Não é possível cancelar uma solicitação de recorrência com o status diferente de CRIADA, ENVIADA ou RECEBIDA.',
        'solicrec.status',
      );
    }
    moveSolicitation(each, 'CANCELADA');
    return done(201, solicitationOf(each, has));
  }

  const withRec = (act: (rec: Rec, exchange: Exchange) => Reply) => (exchange: Exchange) => {
    api.turn();
    const rec = recs.find(({ idRec }) => idRec === exchange.parameters[0]);
    return rec ? act(rec, exchange) : absent('RecNaoEncontrada', 'recorrencia_nao_encontrada');
  };
  const withLocation = (act: (loc: Location) => Reply) => (exchange: Exchange) => {
    const loc = locationNamed(exchange.parameters[0]);
    return loc ? act(loc) : absent('PayloadLocationRecNaoEncontrado', 'location_nao_encontrado');
  };
  const withSolicitation =
    (act: (each: Solicitation, exchange: Exchange) => Reply) => (exchange: Exchange) => {
      api.turn();
      const all = recs.flatMap(({ solicitations }) => solicitations);
      const found = all.find(({ idSolicRec }) => idSolicRec === exchange.parameters[0]);
      return found ? act(found, exchange) : absent('SolicRecNaoEncontrada', 'solicitacao_nao_encontrada');
    };

  const solicitationPath = '/solicrec/([a-zA-Z0-9]{29})';
  const routes: Route[] = [
    {
      operation: 'prepare',
      method: 'POST',
      path: at('/locrec'),
      reply() {
        const id = locations.length + 5_100;
        const location = `pix.bank.example/qr/v2/rec/${randomBytes(16).toString('hex')}`;
        const made = { id, location, criacao: ledger.now() };
        locations.push(made);
        return done(201, locOf(made));
      },
    },
    {
      operation: 'find',
      method: 'GET',
      path: at('/locrec/(\\d+)'),
      reply: withLocation((loc) => done(200, locOf(loc, recAt(loc)?.idRec))),
    },
    {
      operation: 'other',
      method: 'DELETE',
      path: at('/locrec/(\\d+)/idRec'),
      reply: withLocation((loc) => {
        Object.assign(recAt(loc) ?? {}, { loc: undefined });
        return done(200, locOf(loc));
      }),
    },
    {
      operation: 'permit',
      method: 'POST',
      path: at('/rec'),
      reply(exchange) {
        const reply = postRec(exchange);
        const recurrenceId = reply.status === 201 ? (recs.at(-1)?.idRec ?? '') : '';
        journal.push({ act: 'permit', recurrenceId, isAccepted: recurrenceId !== '' });
        return reply;
      },
    },
    { operation: 'find_recurrence', method: 'GET', path: at(recPath), reply: withRec(getRec) },
    { operation: 'end_recurrence', method: 'PATCH', path: patchAt(recPath), reply: withRec(patchRec) },
    listRoute(api, ['rec', 'RecConsultaInvalida'], (isIn, query) => {
      api.turn();
      return recs
        .filter((rec) => {
          const devedor: { cpf?: string; cnpj?: string } = rec.body.vinculo.devedor;
          const isWanted = { cpf: devedor.cpf, cnpj: devedor.cnpj, status: statusOf(rec) };
          return isIn(rec.createdAt) && isAsked(query, isWanted);
        })
        .map((rec) => recOf(rec, has));
    }),
    { operation: 'solicit', method: 'POST', path: at('/solicrec'), reply: postSolicitation },
    {
      operation: 'find',
      method: 'GET',
      path: at(solicitationPath),
      reply: withSolicitation((each) => done(200, solicitationOf(each, has))),
    },
    {
      operation: 'other',
      method: 'PATCH',
      path: patchAt(solicitationPath),
      reply: withSolicitation(patchSolicitation),
    },
  ];

  const named = (idRec: string, ...statuses: readonly RecStatus[]): Rec => {
    api.turn();
    const rec = recs.find((each) => each.idRec === idRec) ?? no(`there is no recurrence ${idRec}`);
    return statuses.includes(statusOf(rec)) ? rec : no(`recurrence ${idRec} is ${statusOf(rec)}`);
  };

  /** By the journey that the receiver has prepared. */
  function journeyOf(rec: Rec): string {
    if (rec.solicitations.some(isPending)) return 'JORNADA_1';
    if (shownWithDue.has(rec)) return 'JORNADA_4';
    return rec.txid ? 'JORNADA_3' : 'JORNADA_2';
  }

  const controls = {
    recurrences() {
      api.turn();
      return recs.map((rec) => ({
        id: rec.idRec,
        contract: rec.body.vinculo.contrato,
        status: statusOf(rec),
      }));
    },
    approves(idRec: string, journey?: string) {
      const rec = named(idRec, 'CRIADA');
      rec.tipoJornada = journey ?? journeyOf(rec);
      if (rec.tipoJornada === 'JORNADA_3') {
        const cob = ledger.find(rec.txid ?? '') ?? no(`there is no charge ${rec.txid}`);
        const status = ledger.statusOf(cob);
        if (status !== 'active' && status !== 'paid') no(`charge ${rec.txid} is ${status}`);
        // Banks may take a while to permit what was paid.
        if (status === 'active') api.outbox.push(api.toldOfPix(cob, ledger.pay(cob)));
      } else rec.txid = undefined;
      const asked = rec.solicitations.find(isPending);
      if (asked) moveSolicitation(asked, rec.tipoJornada === 'JORNADA_1' ? 'ACEITA' : 'CANCELADA');
      move(rec, 'APROVADA');
    },
    rejects(idRec: string) {
      const rec = named(idRec, 'CRIADA');
      const asked = rec.solicitations.find(isPending);
      if (asked) moveSolicitation(asked, 'REJEITADA');
      move(rec, 'REJEITADA', {
        rejeicao: { codigo: 'AP13', descricao: 'Rejeitada pelo usuário pagador.' },
      });
    },
    revokes(idRec: string, by: 'payer' | 'payer_bank' = 'payer') {
      const why = by === 'payer' ? cancelled('USUARIO_PAGADOR', 'SLDB') : cancelled('PSP_PAGADOR', 'ACCL');
      end(named(idRec, 'APROVADA'), why);
    },
  };

  return { recs, routes, controls };
}

const isPending = (each: Solicitation): boolean => ['CRIADA', 'ENVIADA', 'RECEBIDA'].includes(statusOf(each));
