import type { Charge } from '../../src/core/providers/rules/charge.ts';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import { parseRepairedJson } from '../../src/core/base/json/repaired-json.ts';
import type { HttpRequest } from '../../src/psp/http/http-client.ts';
import { bacen } from '../../src/psp/bacen/adapter.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { byOurIdOnly, soon } from './contract-setup.ts';
import { fakeTools, type FakeReply } from './fake-http.ts';

const pixKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';

const settings = {
  baseUrl: 'http://localhost/pix/v2',
  tokenUrl: 'http://localhost/token',
  clientId: 'the-client',
  clientSecret: 'the-secret',
  pixKey,
  merchantName: 'Padaria',
  merchantCity: 'Ouro Preto',
};

/** An adapter whose bank responds to everything but the sign-in as the function says. */
export function adapterWith(
  reply: (asked: string, request: HttpRequest) => FakeReply,
  changes: Record<string, unknown> = {},
  now = new Date(),
): PspAdapter {
  const tools = fakeTools(
    (asked, request) =>
      request.method === 'POST' ? { json: { access_token: 'token' } } : reply(asked, request),
    now,
  );
  return bacen.connect(parseSettings(bacen, { ...settings, ...changes }), tools);
}

/** What a lookup makes of a body, as text. */
export const chargeRead = async (
  text: string,
  transactionId: string,
  changes: Record<string, unknown> = {},
): Promise<Charge | undefined> =>
  adapterWith(() => ({ json: parseRepairedJson(text) }), changes).findCharge(
    byOurIdOnly(transactionId),
    soon(),
  );

const criacao = '2026-09-09T20:15:00.358Z';

/** A paid charge as the standard has it. */
export const paidCob = (txid: string, valor: string) => ({
  calendario: { criacao, expiracao: 3_600 },
  txid,
  revisao: 0,
  location: 'pix.bank.example/qr/v2/2353c790eefb11eaadc10242ac120002',
  status: 'CONCLUIDA',
  valor: { original: valor },
  chave: pixKey,
  pix: [
    {
      endToEndId: 'E12345678202609092015kkkkkkkkkkk',
      txid,
      chave: pixKey,
      valor,
      horario: '2026-09-09T20:20:00.000Z',
      infoPagador: 'pedido 42',
    },
  ],
});
