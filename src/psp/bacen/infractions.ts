import { z } from 'zod';
import type { DisputeState } from '../../core/disputes/rules/dispute.ts';
import type { PspAdapter } from '../../core/providers/rules/psp.ts';
import type { ListedDispute } from '../../core/providers/rules/psp-lists.ts';
import type { Logger } from '../../observability/logger.ts';
import { instant, optionally } from '../kit/moment.ts';
import { sendAnswer } from '../kit/outcome.ts';
import { allPages, ifReadable, orUnreadable, splitUnreadable, translated } from '../kit/response.ts';
import type { BacenPreset } from './account/presets.ts';
import type { BacenSession } from './account/session.ts';
import { refusalAt, unservedRefusalOf } from './problem.ts';
import { createRequests } from './requests.ts';
import { amount, listOf, optionalText, paginacao } from './wire-format.ts';

/**
 * Claims through the special refund mechanism, which Efí calls infractions (dev.efipay.com.br, "Endpoints exclusivos Efí", "Listar
 * infrações MED da conta" and "Submeter defesa de infração MED"; MedListResponse of sdk-node-apis-efi). Who claims is not read.
 */
const infraction = z.object({
  idInfracao: z.string().min(1).max(64),
  endToEndId: z.string().min(1).max(64),
  valor: amount,
  status: z.string(),
  tipoSituacao: optionalText.catch(undefined),
  defesa: optionalText.catch(undefined),
  dadosAnalise: ifReadable(
    z.object({
      abertura: optionally(instant),
      prazoFinalizacao: optionally(instant),
      recebimentoDefesa: optionally(instant),
    }),
  ),
});

type Infraction = z.output<typeof infraction>;

const infractions = listOf(orUnreadable(infraction, { id: 'idInfracao' }));

/** Some read the list without an object around it. */
const infractionsPage = z.union([
  z.array(z.unknown()).transform((all) => ({ all: infractions.parse(all), pageCount: 1 })),
  z
    .object({ parametros: z.object({ paginacao }), infracoes: infractions })
    .transform(({ infracoes, parametros }) => ({ all: infracoes, ...parametros.paginacao })),
]);

/** StatusMed of sdk-node-apis-efi. One that is accepted gives the money back. */
const states: Readonly<Record<string, DisputeState>> = {
  ABERTA: 'open',
  EM_DEFESA: 'open',
  ACEITA: 'lost',
  REJEITADA: 'won',
  CANCELADA_EFI: 'won',
};

/** TipoSituacaoMed of sdk-node-apis-efi. */
const reasons: Readonly<Record<string, string>> = {
  golpe: 'golpe',
  'aquisição da conta': 'aquisicao_da_conta',
  coerção: 'coercao',
  'acesso fraudulento': 'acesso_fraudulento',
  outro: 'outro',
  desconhecido: 'desconhecido',
};

const dayMs = 86_400_000;
/** Covers as long as claims are followed. */
const windowMs = 100 * dayMs;

/** Required, and nobody says anything with an acceptance. */
const acceptanceText = 'De acordo com a devolução.';

const hasDefence = ({ status, defesa, dadosAnalise }: Infraction): boolean =>
  status === 'EM_DEFESA' || defesa !== undefined || dadosAnalise?.recebimentoDefesa != null;

interface Tools {
  session: BacenSession;
  preset: BacenPreset;
  now: () => Date;
  logger?: Logger | undefined;
}

export function infractionsOf({
  session,
  preset,
  now,
  logger,
}: Tools): Required<Pick<PspAdapter, 'listDisputes' | 'answerDispute'>> {
  const { list } = createRequests(session, preset);
  const path = '/gn/infracoes';

  async function listPage(window: { since: Date; until: Date }, page: number, signal: AbortSignal) {
    const query = { inicio: window.since, fim: window.until, page };
    const { all, pageCount } = await list(infractionsPage, [path, query], signal).catch((error: unknown) => {
      throw unservedRefusalOf(path, error, preset);
    });
    const { read, unreadable } = splitUnreadable(all);
    for (const { reference, members } of unreadable)
      logger?.error({ provider: 'bacen', infraction: reference, members }, 'an infraction is unreadable');
    return { read, hasMore: page + 1 < pageCount };
  }

  function disputeOf(each: Infraction): ListedDispute[] {
    const { idInfracao: reference, endToEndId, valor: amountInCents, tipoSituacao, dadosAnalise } = each;
    const state = translated(states, each.status);
    if (state === 'unrecognised') {
      logger?.error({ provider: 'bacen', infraction: reference }, 'the state of an infraction is unknown');
      return [];
    }
    const reason = translated(reasons, tipoSituacao?.toLowerCase() ?? '');
    return [
      {
        reference,
        endToEndId,
        state,
        amountInCents,
        reason: reason === 'unrecognised' ? null : reason,
        defenceUntil: dadosAnalise?.prazoFinalizacao ?? null,
        openedAt: dadosAnalise?.abertura ?? null,
        isDefended: hasDefence(each),
      },
    ];
  }

  async function find(id: string, signal: AbortSignal): Promise<Infraction | undefined> {
    const until = now();
    const window = { since: new Date(until.getTime() - windowMs), until };
    let page = 0;
    const all = await allPages(async () => {
      const { read, hasMore } = await listPage(window, page++, signal);
      return { items: read, hasMore };
    });
    return all.find(({ idInfracao }) => idInfracao === id);
  }

  return {
    async listDisputes(window, cursor, signal) {
      const page = Number(cursor ?? 0);
      const { read, hasMore } = await listPage(window, page, signal);
      return { disputes: read.flatMap(disputeOf), nextCursor: hasMore ? String(page + 1) : null };
    },

    async answerDispute({ dispute, answer, statement, isRepeat }, signal) {
      const isDefence = answer === 'defence';
      const justificativa = isDefence ? statement : acceptanceText;
      // `aceito` agrees to give the money back.
      const body = { analise: isDefence ? 'rejeitado' : 'aceito', justificativa };

      async function send(): Promise<void> {
        const target = `${path}/${encodeURIComponent(dispute)}/defesa`;
        const response = await session.request('POST', target, { body, signal });
        if (response.status >= 400) throw unservedRefusalOf(path, refusalAt(path, response), preset);
      }

      // An infraction takes one defence, and refuses another with HTTP 409, whoever made the first.
      await sendAnswer(send, {
        isRepeat,
        async hasArrived() {
          const found = await find(dispute, signal);
          return found && hasDefence(found) && (isRepeat || found.defesa?.trim() === justificativa.trim());
        },
      });
    },
  };
}
