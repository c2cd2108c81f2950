import { cents } from '../../../src/core/base/money.ts';
import { createAuthority } from '../certificates.ts';
import { accessSettings, clientSecret, createAccess } from './bacen-access.ts';
import { bacenAutomatic } from './bacen-automatic.ts';
import { type BankName, type EmulatedBank, emulatedBanks, switchesOf } from './bacen-bank.ts';
import { bacenDueRoutes } from './bacen-due.ts';
import { bacenInfractionRoutes } from './bacen-infractions.ts';
import { centsOf, pixKey, violationsOf } from './bacen-request.ts';
import { bacenListRoutes } from './bacen-received.ts';
import { bacenWebhookRoutes } from './bacen-webhook.ts';
import { cobOf, devolucaoOf, membersOf, pixOf, refusalReply, type Violation, written } from './bacen-wire.ts';
import { type EmulatedCharge, type EmulatedPix, isDebit, refundedInCents } from './ledger.ts';
import type { DefinePsp, EmulatedPsp, Exchange, Notification, Reply, Route } from './psp.ts';

const removed = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
const txid = '([a-zA-Z0-9]{26,35})';

/** Of a proxy before the API: a word of the bank would say that the charge does not exist. */
const page = { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>404</html>' };

/** A PSP that follows the Banco Central's API Pix 2.9.0, over mutual TLS with certificates of the authority. */
export const defineBacen =
  (name: BankName = 'standard', authority = createAuthority('Emulated authority')): DefinePsp =>
  (ledger) => {
    const bank: EmulatedBank = emulatedBanks[name];
    const { flavour, base, patchBase } = bank;
    const switches = switchesOf(bank);
    const has = switches.isOn;
    const access = createAccess(bank, has, ledger);
    const server = authority.issue('emulated.psp');
    const client = authority.issue('receiver');
    const notifying = authority.issue('psp.notifications');

    const refused = (status: number, type: string, nome: string, violations?: readonly Violation[]): Reply =>
      refusalReply(flavour, status, { type, nome, ...(violations && { violations }) });
    const absent = (type: string, nome: string) => refused(has('absentIs400') ? 400 : 404, type, nome);
    const badRefund = () => refused(400, 'PixDevolucaoInvalida', 'valor_invalido');
    const done = (status: number, body: object): Reply => ({
      status,
      headers: { 'content-type': 'application/json' },
      body: written(body, has),
    });

    const statusOf = (charge: EmulatedCharge): string => {
      const forced = charge.details['status'];
      if (typeof forced === 'string') return forced;
      const status = ledger.statusOf(charge);
      // The standard has no word for expired.
      return { paid: 'CONCLUIDA', cancelled: removed, active: 'ATIVA', expired: 'ATIVA' }[status];
    };
    const cobReply = (status: number, charge: EmulatedCharge): Reply =>
      done(status, cobOf(charge, statusOf(charge), has));

    /** Charges with a due date and debits are not found here. */
    const findCob = (transactionId: string): EmulatedCharge | undefined => {
      const charge = ledger.find(transactionId);
      return charge?.due || (charge && isDebit(charge)) ? undefined : charge;
    };

    function patchRefusal(path: string): Reply | undefined {
      const isElsewhere = path.startsWith(`${patchBase}/`);
      if (has('noCancelPage') || isElsewhere !== has('patchElsewhere')) return page;
      return has('noCancel') ? { status: 405, headers: { allow: 'GET, PUT' } } : undefined;
    }

    function putCob({ parameters: [transactionId = ''], json }: Exchange): Reply {
      const violations = violationsOf(json, has('strict'));
      if (violations.length > 0) return refused(400, 'CobOperacaoInvalida', 'json_invalido', violations);
      const there = findCob(transactionId);
      if (!there && ledger.find(transactionId)) return refused(400, 'CobOperacaoInvalida', 'txid_duplicado');
      if (there && flavour === 'efi') return refused(409, 'CobOperacaoInvalida', 'txid_duplicado');
      if (there && statusOf(there) !== 'ATIVA') return refused(400, 'CobOperacaoInvalida', 'txid_duplicado');
      const { chave, devedor, solicitacaoPagador } = json;
      const seconds = Number(membersOf(json['calendario'])['expiracao']);
      const amountInCents = centsOf(membersOf(json['valor'])['original']) ?? cents(0);
      const revisao = Number(there?.details['revisao'] ?? -1) + 1;
      const details = { chave, devedor, solicitacaoPagador, revisao };
      const expiresAt = new Date((there?.createdAt ?? ledger.now()).getTime() + seconds * 1_000);
      // A PUT on an active charge revises it.
      const charge = there
        ? Object.assign(there, { amountInCents, expiresAt, details })
        : ledger.add({ transactionId, reference: transactionId, amountInCents, expiresAt, details });
      return cobReply(201, charge);
    }

    function patchCob({ parameters: [transactionId = ''], json, path }: Exchange): Reply {
      const refusal = patchRefusal(path);
      if (refusal) return refusal;
      const charge = findCob(transactionId);
      if (!charge) return absent('CobNaoEncontrado', 'cobranca_nao_encontrada');
      const isCancel = json['status'] === removed && Object.keys(json).length === 1;
      if (!isCancel || statusOf(charge) !== 'ATIVA') {
        return refused(400, 'CobOperacaoInvalida', 'status_cobranca_invalido');
      }
      charge.isCancelled = true;
      return has('emptyCancel') ? { status: 200 } : cobReply(200, charge);
    }

    function putDevolucao({ parameters: [endToEndId = '', refundId = ''], json }: Exchange): Reply {
      const charge = ledger.findByEndToEndId(endToEndId);
      if (!charge) return absent('PixNaoEncontrado', 'pix_nao_encontrado');
      const amountInCents = centsOf(json['valor']);
      if (charge.refunds.some((each) => each.refundId === refundId)) {
        return flavour === 'efi' ? refused(409, '', 'devolucao_id_duplicado') : badRefund();
      }
      const ofPix = { ...charge, refunds: charge.refunds.filter((each) => each.endToEndId === endToEndId) };
      const received = charge.pix.find((each) => each.endToEndId === endToEndId)?.amountInCents ?? 0n;
      const message = json['descricao'];
      // `DevolucaoSolicitada` of the API Pix 2.9.0.
      if (message !== undefined && (typeof message !== 'string' || message.length > 140)) return badRefund();
      const isTooMuch = !amountInCents || refundedInCents(ofPix) + amountInCents > received;
      if (isTooMuch) return badRefund();
      const reference = `D${endToEndId.slice(1)}`;
      const told = message === undefined ? {} : { message };
      const refund = { refundId, reference, endToEndId, amountInCents, status: 'pending' as const, ...told };
      return done(201, devolucaoOf(ledger.refund(charge, refund)));
    }

    function getDevolucao({ parameters: [endToEndId = '', refundId = ''] }: Exchange): Reply {
      const refund = ledger.findByEndToEndId(endToEndId)?.refunds.find((each) => each.refundId === refundId);
      return refund
        ? done(200, devolucaoOf(refund))
        : absent('PixDevolucaoNaoEncontrada', 'devolucao_nao_encontrada');
    }

    function getCob({ parameters: [transactionId = ''] }: Exchange): Reply {
      const charge = findCob(transactionId);
      return charge ? cobReply(200, charge) : absent('CobNaoEncontrado', 'cobranca_nao_encontrada');
    }

    const rejectionsOf = (of: string, type: string): EmulatedPsp['rejections'] => ({
      request: refused(400, type, 'valor_invalido', [
        {
          razao: `O campo ${of}.valor.original não respeita o _schema_.`,
          propriedade: `${of}.valor.original`,
        },
      ]),
      payer: refused(400, type, 'valor_invalido', [
        { razao: 'Documento CPF em devedor.cpf é inválido', propriedade: `${of}.devedor.cpf` },
      ]),
      credential: refused(403, 'AcessoNegado', 'acesso_negado'),
      route: page,
    });

    const told = (charge: EmulatedCharge, pix: EmulatedPix): Notification => ({
      path: '/pix',
      query: {},
      headers: {},
      body: written({ pix: [pixOf(charge, pix, has, true)] }, has),
      hasCertificate: !has('unsigned'),
    });

    function getPix({ parameters: [endToEndId = ''] }: Exchange): Reply {
      const charge = ledger.findByEndToEndId(endToEndId);
      const pix = charge?.pix.find((each) => each.endToEndId === endToEndId);
      return charge && pix
        ? done(200, pixOf(charge, pix, has, true))
        : absent('PixNaoEncontrado', 'pix_nao_encontrado');
    }

    const recurrences = bacenAutomatic({
      base,
      patchBase,
      flavour,
      ledger,
      has,
      refused,
      absent,
      patchRefusal,
      toldOfPix: told,
    });
    const cobPath = new RegExp(`${base}/cob/${txid}`);
    const devolucaoPath = new RegExp(`${base}/pix/([^/]+)/devolucao/([a-zA-Z0-9]{1,35})`);
    const routes: Route[] = [
      {
        operation: 'token',
        method: 'POST',
        path: new RegExp(bank.token.replaceAll('.', '\\.')),
        reply: access.token,
      },
      { operation: 'create', method: 'PUT', path: cobPath, reply: putCob },
      { operation: 'find', method: 'GET', path: cobPath, reply: getCob },
      {
        operation: 'cancel',
        method: 'PATCH',
        path: new RegExp(`(?:${base}|${patchBase})/cob/${txid}`),
        reply: patchCob,
      },
      { operation: 'refund', method: 'PUT', path: devolucaoPath, reply: putDevolucao },
      { operation: 'find_refund', method: 'GET', path: devolucaoPath, reply: getDevolucao },
      { operation: 'find', method: 'GET', path: new RegExp(`${base}/pix/([^/]+)`), reply: getPix },
      ...bacenDueRoutes({
        flavour,
        path: new RegExp(`${base}/cobv/${txid}`),
        patchPath: new RegExp(`(?:${base}|${patchBase})/cobv/${txid}`),
        ledger,
        has,
        refused,
        absent,
        patchRefusal,
        statusOf,
      }),
      ...recurrences.routes,
      ...(flavour === 'efi' ? bacenInfractionRoutes({ base, ledger, has, refused }) : []),
      ...bacenListRoutes({ base, ledger, has, refused, statusOf }),
      ...bacenWebhookRoutes({ base, flavour, pixKey, client: notifying, refused }),
    ];
    return {
      name: 'bacen',
      tls: { ...server, clientAuthority: authority.certificate },
      client: notifying,
      secrets: [clientSecret, client.privateKey],
      switches,
      routes,
      automatic: recurrences.automatic,
      refuse: access.refuse,
      rejections: rejectionsOf('cob', 'CobOperacaoInvalida'),
      rejectionsOf({ path }) {
        if (path.includes('/cobv/')) return rejectionsOf('cobv', 'CobVOperacaoInvalida');
        if (path.includes('/cobr/')) return rejectionsOf('cobr', 'CobROperacaoInvalida');
        if (/\/(?:loc|solic)?rec(?:\/|$)/.test(path)) return rejectionsOf('rec', 'RecOperacaoInvalida');
        return rejectionsOf('cob', 'CobOperacaoInvalida');
      },
      notificationOf: told,
      forge: (notification) => ({ ...notification, hasCertificate: false }),
      settings: (origin) => ({
        ...accessSettings(bank, has, origin),
        pixKey,
        merchantName: 'Padaria São José',
        merchantCity: 'São Paulo',
        certificate: client.certificate,
        privateKey: client.privateKey,
        ca: authority.certificate,
        notificationAuth: has('unsigned') ? 'urlToken' : 'mtls',
      }),
    };
  };
