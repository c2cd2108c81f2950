import { randomUUID } from 'node:crypto';
import { hasValidCheckDigits, parseDocument } from '../../../src/domain/payments/document.ts';
import { isJsonObject } from '../../../src/domain/json/metadata.ts';
import { cents } from '../../../src/domain/money.ts';
import { createAuthority } from '../certificates.ts';
import { type BacenFlavour, cobOf, devolucaoOf, pixOf, refusalReply, type Violation } from './bacen-wire.ts';
import { type EmulatedCharge, refundedInCents } from './ledger.ts';
import type { DefinePsp, Exchange, Reply } from './psp.ts';

const pixKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
const clientId = 'Client_Id_emulated';
const clientSecret = 'Client_Secret_emulated_5f0c';
const tokenLifeInSeconds = 3_600;
const removed = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

const txid = '([a-zA-Z0-9]{26,35})';
const amountPattern = /^\d{1,10}\.\d{2}$/;

const centsOf = (valor: unknown) =>
  typeof valor === 'string' && amountPattern.test(valor) ? cents(BigInt(valor.replace('.', ''))) : undefined;

/** In code points; NaN for what is no text. */
const lengthOf = (text: unknown) => (typeof text === 'string' ? Array.from(text).length : Number.NaN);

const membersOf = (value: unknown) => (isJsonObject(value) ? value : {});

/** What the standard's schema, and Efí's check of the document, say of the request. */
function violationsOf(json: Exchange['json'], flavour: BacenFlavour): Violation[] {
  const violations: Violation[] = [];
  const refuse = (propriedade: string, razao: string) => violations.push({ razao, propriedade });
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
  if (json['devedor'] !== undefined) {
    const { cpf, cnpj, nome } = membersOf(json['devedor']);
    const member = cpf === undefined ? 'cnpj' : 'cpf';
    const written = cpf ?? cnpj;
    const document = typeof written === 'string' ? parseDocument(written) : undefined;
    if (!(lengthOf(nome) > 0)) refuse('cob.devedor.nome', 'O campo devedor.nome é obrigatório.');
    if (
      document?.kind !== member ||
      document.value !== written ||
      (flavour === 'efi' && !hasValidCheckDigits(document))
    ) {
      refuse(`cob.devedor.${member}`, `Documento ${member.toUpperCase()} em devedor.${member} é inválido`);
    }
  }
  return violations;
}

/** A PSP that follows the Banco Central's API Pix 2.9.0, over mutual TLS with certificates made at the start. */
export const defineBacen =
  (flavour: BacenFlavour = 'standard'): DefinePsp =>
  (ledger) => {
    const authority = createAuthority('Emulated authority');
    const server = authority.issue('emulated.psp');
    const client = authority.issue('receiver');
    const notifying = authority.issue('psp.notifications');
    const tokens = new Map<string, number>();
    const base = flavour === 'efi' ? '/v2' : '/api/v2';

    const refused = (status: number, type: string, nome: string, violations?: readonly Violation[]): Reply =>
      refusalReply(flavour, status, { type, nome, ...(violations && { violations }) });
    const notFound = () => refused(404, 'CobNaoEncontrado', 'cobranca_nao_encontrada');
    const badRefund = () => refused(400, 'PixDevolucaoInvalida', 'valor_invalido');

    const statusOf = (charge: EmulatedCharge): string => {
      const forced = charge.details['status'];
      if (typeof forced === 'string') return forced;
      const status = ledger.statusOf(charge);
      // The standard has no word for expired.
      return { paid: 'CONCLUIDA', cancelled: removed, active: 'ATIVA', expired: 'ATIVA' }[status];
    };
    const cobReply = (status: number, charge: EmulatedCharge): Reply => ({
      status,
      body: cobOf(charge, statusOf(charge), flavour),
    });

    function token({ headers, text, json }: Exchange): Reply {
      const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
      const grant = flavour === 'efi' ? json['grant_type'] : new URLSearchParams(text).get('grant_type');
      if (headers.authorization !== basic) return { status: 401, body: { error: 'invalid_client' } };
      if (grant !== 'client_credentials') return { status: 400, body: { error: 'unsupported_grant_type' } };
      const value = `token-${randomUUID()}`;
      tokens.set(value, ledger.now().getTime() + tokenLifeInSeconds * 1_000);
      const scope = 'cob.read cob.write pix.read pix.write';
      return {
        status: 200,
        body: { access_token: value, token_type: 'Bearer', expires_in: tokenLifeInSeconds, scope },
      };
    }

    function putCob({ parameters: [transactionId = ''], json }: Exchange): Reply {
      const violations = violationsOf(json, flavour);
      if (violations.length > 0) return refused(400, 'CobOperacaoInvalida', 'json_invalido', violations);
      const there = ledger.find(transactionId);
      if (there && flavour === 'efi') return refused(409, 'CobOperacaoInvalida', 'txid_duplicado');
      if (there && statusOf(there) !== 'ATIVA') return refused(400, 'CobOperacaoInvalida', 'txid_duplicado');
      const { chave, devedor, solicitacaoPagador } = json;
      const seconds = Number(membersOf(json['calendario'])['expiracao']);
      const amountInCents = centsOf(membersOf(json['valor'])['original']) ?? cents(0);
      const details = {
        chave,
        devedor,
        solicitacaoPagador,
        revisao: Number(there?.details['revisao'] ?? -1) + 1,
      };
      const expiresAt = new Date((there?.createdAt ?? ledger.now()).getTime() + seconds * 1_000);
      // A PUT on an active charge revises it.
      const charge = there
        ? Object.assign(there, { amountInCents, expiresAt, details })
        : ledger.add({ transactionId, reference: transactionId, amountInCents, expiresAt, details });
      return cobReply(201, charge);
    }

    function patchCob({ parameters: [transactionId = ''], json }: Exchange): Reply {
      const charge = ledger.find(transactionId);
      if (!charge) return notFound();
      const isCancel = json['status'] === removed && Object.keys(json).length === 1;
      if (!isCancel || statusOf(charge) !== 'ATIVA') {
        return refused(400, 'CobOperacaoInvalida', 'status_cobranca_invalido');
      }
      charge.isCancelled = true;
      return cobReply(200, charge);
    }

    function putDevolucao({ parameters: [endToEndId = '', refundId = ''], json }: Exchange): Reply {
      const charge = ledger.findByEndToEndId(endToEndId);
      if (!charge) return refused(404, 'PixNaoEncontrado', 'pix_nao_encontrado');
      const amountInCents = centsOf(json['valor']);
      if (charge.refunds.some((each) => each.refundId === refundId)) {
        return flavour === 'efi' ? refused(409, '', 'devolucao_id_duplicado') : badRefund();
      }
      const ofPix = { ...charge, refunds: charge.refunds.filter((each) => each.endToEndId === endToEndId) };
      const isTooMuch = !amountInCents || refundedInCents(ofPix) + amountInCents > charge.amountInCents;
      if (isTooMuch) return badRefund();
      const reference = `D${endToEndId.slice(1)}`;
      const refund = ledger.refund(charge, {
        refundId,
        reference,
        endToEndId,
        amountInCents,
        status: 'pending',
      });
      return { status: 201, body: devolucaoOf(refund) };
    }

    function getDevolucao({ parameters: [endToEndId = '', refundId = ''] }: Exchange): Reply {
      const refund = ledger.findByEndToEndId(endToEndId)?.refunds.find((each) => each.refundId === refundId);
      if (!refund) return refused(404, 'PixDevolucaoNaoEncontrada', 'devolucao_nao_encontrada');
      return { status: 200, body: devolucaoOf(refund) };
    }

    function getCob({ parameters: [transactionId = ''] }: Exchange): Reply {
      const charge = ledger.find(transactionId);
      return charge ? cobReply(200, charge) : notFound();
    }

    const cobPath = new RegExp(`${base}/cob/${txid}`);
    const devolucaoPath = new RegExp(`${base}/pix/([^/]+)/devolucao/([a-zA-Z0-9]{1,35})`);
    return {
      name: 'bacen',
      tls: { ...server, clientAuthority: authority.certificate },
      client: notifying,
      secrets: [clientSecret, client.privateKey],
      routes: [
        { operation: 'token', method: 'POST', path: /\/oauth\/token/, reply: token },
        { operation: 'create', method: 'PUT', path: cobPath, reply: putCob },
        { operation: 'find', method: 'GET', path: cobPath, reply: getCob },
        { operation: 'cancel', method: 'PATCH', path: cobPath, reply: patchCob },
        { operation: 'refund', method: 'PUT', path: devolucaoPath, reply: putDevolucao },
        { operation: 'find_refund', method: 'GET', path: devolucaoPath, reply: getDevolucao },
      ],
      refuse({ operation, headers }) {
        if (operation === 'token') return undefined;
        const expiresAtMs = tokens.get(headers.authorization?.replace('Bearer ', '') ?? '') ?? 0;
        return expiresAtMs > ledger.now().getTime()
          ? undefined
          : { status: 401, body: { error: 'invalid_token' } };
      },
      rejections: {
        request: refused(400, 'CobOperacaoInvalida', 'valor_invalido', [
          { razao: 'O campo cob.valor.original não respeita o _schema_.', propriedade: 'cob.valor.original' },
        ]),
        payer: refused(400, 'CobOperacaoInvalida', 'valor_invalido', [
          { razao: 'Documento CPF em devedor.cpf é inválido', propriedade: 'cob.devedor.cpf' },
        ]),
        credential: refused(403, 'AcessoNegado', 'acesso_negado'),
        route: refused(404, 'NaoEncontrado', 'nao_encontrado'),
      },
      notificationOf: (charge, pix) => ({
        path: '/pix',
        query: {},
        headers: {},
        body: JSON.stringify({ pix: [pixOf(charge, pix)] }),
        hasCertificate: true,
      }),
      forge: (notification) => ({ ...notification, hasCertificate: false }),
      settings: (origin) => ({
        baseUrl: origin + base,
        clientId,
        clientSecret,
        pixKey,
        merchantName: 'Padaria São José',
        merchantCity: 'São Paulo',
        certificate: client.certificate,
        privateKey: client.privateKey,
        ca: authority.certificate,
        notificationAuth: 'mtls',
        ...(flavour === 'efi' && { preset: 'efi' }),
      }),
    };
  };
