import { describe, expect, test } from '@jest/globals';
import { createAuthority } from '../support/certificates.ts';
import { adapterWith } from './bacen-setup.ts';
import { soon } from './contract-setup.ts';
import type { FakeReply } from './fake-http.ts';

/** As dev.efipay.com.br shows it. */
const infraction = {
  idInfracao: '8ad75c93-6150-422c-929e-822f361c7a6b',
  endToEndId: 'E09089356202312181249APId91a6304',
  protocolo: '1313',
  dataTransacao: '2023-12-22T16:01:35Z',
  valor: '100',
  status: 'ABERTA',
  tipoSituacao: 'aquisição da conta',
  dadosAnalise: { abertura: '2023-12-22T16:01:35Z', prazoFinalizacao: '2023-12-29T16:01:35Z' },
};

const window = { since: new Date('2023-11-01T00:00:00Z'), until: new Date('2024-01-01T00:00:00Z') };
const page = (infracoes: object[], quantidadeDePaginas = 1) => ({
  parametros: { paginacao: { paginaAtual: 0, quantidadeDePaginas, quantidadeTotalDeItens: 1 } },
  infracoes,
});

const efi = (reply: () => FakeReply, changes: Record<string, unknown> = {}) =>
  adapterWith(reply, { preset: 'efi', ...changes });

const listed = async (json: unknown) => efi(() => ({ json })).listDisputes?.(window, null, soon());

describe('the list of infractions', () => {
  test('tells the deadline, and a code for the reason', async () => {
    expect(await listed(page([infraction], 2))).toEqual({
      disputes: [
        {
          reference: infraction.idInfracao,
          endToEndId: infraction.endToEndId,
          state: 'open',
          amountInCents: 10_000n,
          reason: 'aquisicao_da_conta',
          defenceUntil: new Date('2023-12-29T16:01:35Z'),
          openedAt: new Date('2023-12-22T16:01:35Z'),
          isDefended: false,
        },
      ],
      nextCursor: '1',
    });
  });

  test.each([
    ['an array', [infraction]],
    ['one item', page(infraction as never)],
    ['words that nobody knows', page([{ ...infraction, tipoSituacao: 'nova', dadosAnalise: null }])],
    ['an amount with decimals', page([{ ...infraction, valor: '100.00' }])],
    ['a broken neighbour', page([{ idInfracao: 7 }, infraction])],
  ])('is read where it is or has %s', async (_, json) => {
    expect(await listed(json)).toMatchObject({
      disputes: [{ reference: infraction.idInfracao, amountInCents: 10_000n }],
      nextCursor: null,
    });
  });

  test('says which scopes are missing', async () => {
    const adapter = efi(() => ({ status: 403, json: { error: 'insufficient_scope' } }));
    await expect(adapter.listDisputes?.(window, null, soon())).rejects.toThrow(
      'disputes need the scopes gn.infractions.read and gn.infractions.write',
    );
  });

  test('is asked for at Efí alone, and not in its environment for testing', () => {
    const { certificate, privateKey } = createAuthority('Efí').issue('receiver');
    const baseUrl = 'https://pix-h.api.efipay.com.br/v2';
    const testing = efi(() => ({ json: {} }), { baseUrl, certificate, privateKey });
    const other = adapterWith(() => ({ json: {} }), { preset: 'inter' });
    for (const adapter of [testing, other]) {
      expect(adapter.listDisputes).toBeUndefined();
      expect(adapter.answerDispute).toBeUndefined();
      expect(adapter.capabilities.answers).toBeUndefined();
    }
    expect(efi(() => ({ json: {} })).capabilities).toMatchObject({
      disputePanel: 'https://app.sejaefi.com.br',
    });
  });
});
