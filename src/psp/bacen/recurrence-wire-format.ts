import { z } from 'zod';
import { instant, optionally } from '../kit/moment.ts';
import { ifReadable } from '../kit/response.ts';
import { amount, listOf, optionalText, paginacao } from './wire-format.ts';

/** PayloadLocationRecGerada. */
export const recLocation = z.object({ id: z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]) });

const code = ifReadable(z.object({ codigo: optionalText, solicitante: optionalText }));

/** The schema says `status`, and the examples of the API Pix 2.9.0 have it as `nome`. */
const change = z
  .object({ status: optionalText, nome: optionalText, data: optionally(instant) })
  .transform(({ status, nome, data }) => ({ status: status ?? nome, data }));

/** RecGerada, RecCompleta and RecCompletaPesquisada. */
export const rec = z.object({
  idRec: z.string().regex(/^\w{1,64}$/),
  status: optionalText,
  vinculo: ifReadable(
    z.object({
      contrato: optionalText,
      devedor: ifReadable(z.object({ cpf: optionalText, cnpj: optionalText })),
    }),
  ),
  calendario: ifReadable(z.object({ dataInicial: optionalText })),
  valor: ifReadable(z.object({ valorRec: amount.nullish() })),
  loc: ifReadable(z.object({ location: optionalText })),
  ativacao: ifReadable(z.object({ dadosJornada: ifReadable(z.object({ txid: optionalText })) })),
  atualizacao: listOf(change).catch([]),
  encerramento: ifReadable(z.object({ rejeicao: code, cancelamento: code })),
  solicitacao: listOf(z.object({ status: optionalText })).catch([]),
  dadosQR: ifReadable(z.object({ pixCopiaECola: optionalText })),
});

export type Rec = z.output<typeof rec>;

/** RecsConsultadas, the response of `GET /rec`. */
export const recsPage = z
  .object({ parametros: z.object({ paginacao }), recs: listOf(rec) })
  .transform((read) => ({ recs: read.recs, ...read.parametros.paginacao }));
