import type { BacenFlavour } from './bacen-bank.ts';
import { probe, type Probe } from './probe.ts';
import type { Exchange, Reply, Route } from './psp.ts';

interface Options {
  /** Path of the API up to its version. */
  base: string;
  flavour: BacenFlavour;
  pixKey: string;
  /** The PSP's certificate. */
  client: Probe['client'];
  refused: (status: number, type: string, nome: string) => Reply;
}

const isOk = (status: number) => status >= 200 && status < 300;

/** `/webhook/{chave}`: one webhook for each key, tried before it is accepted. */
export function bacenWebhookRoutes({ base, flavour, pixKey, client, refused }: Options): Route[] {
  let registered: { webhookUrl: string; chave: string; criacao: string } | undefined;

  /** Efí wants the URL to refuse whoever comes without its certificate, unless told to skip that. */
  async function isAcceptable(url: string, skipsMutualTls: boolean): Promise<boolean> {
    const empty = { url: `${url}/pix`, body: flavour === 'efi' ? '' : '{}' };
    if (flavour === 'efi' && !skipsMutualTls && isOk(await probe(empty))) return false;
    return isOk(await probe({ ...empty, client }));
  }

  async function put({ parameters: [chave = ''], json, headers }: Exchange): Promise<Reply> {
    const { webhookUrl } = json;
    if (chave !== pixKey) return refused(404, 'NaoEncontrado', 'chave_nao_encontrada');
    const isSkipped = headers['x-skip-mtls-checking'] === 'true';
    if (typeof webhookUrl !== 'string' || !(await isAcceptable(webhookUrl, isSkipped))) {
      return refused(400, 'WebhookOperacaoInvalida', 'webhook_invalido');
    }
    registered = { webhookUrl, chave, criacao: new Date().toISOString() };
    return { status: flavour === 'efi' ? 201 : 200, body: flavour === 'efi' ? { webhookUrl } : undefined };
  }

  const path = new RegExp(`${base}/webhook/([^/]+)`);
  return [
    { operation: 'webhook', method: 'PUT', path, reply: put },
    {
      operation: 'find',
      method: 'GET',
      path,
      reply: ({ parameters: [chave] }) =>
        registered && chave === pixKey
          ? { status: 200, body: registered }
          : refused(404, 'WebhookNaoEncontrado', 'webhook_nao_encontrado'),
    },
  ];
}
