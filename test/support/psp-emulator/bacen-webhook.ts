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

/**
 * `/webhook/{chave}`: one webhook for each key, tried before it is accepted; `/webhookrec` and `/webhookcobr`, one of each for the
 * account.
 */
export function bacenWebhookRoutes({ base, flavour, pixKey, client, refused }: Options): Route[] {
  const registered = new Map<string, { webhookUrl: string; chave?: string; criacao: string }>();

  /** Efí wants the URL to refuse whoever comes without its certificate, unless told to skip that. */
  async function isAcceptable(url: string, skipsMutualTls: boolean): Promise<boolean> {
    const empty = { url, body: flavour === 'efi' ? '' : '{}' };
    if (flavour === 'efi' && !skipsMutualTls && isOk(await probe(empty))) return false;
    return isOk(await probe({ ...empty, client }));
  }

  async function register(
    [name, appended]: [name: string, appended: string],
    { json, headers }: Exchange,
    chave?: string,
  ): Promise<Reply> {
    const { webhookUrl } = json;
    const isSkipped = headers['x-skip-mtls-checking'] === 'true';
    if (typeof webhookUrl !== 'string' || !(await isAcceptable(webhookUrl + appended, isSkipped))) {
      return refused(400, 'WebhookOperacaoInvalida', 'webhook_invalido');
    }
    registered.set(name, { webhookUrl, ...(chave && { chave }), criacao: new Date().toISOString() });
    return { status: flavour === 'efi' ? 201 : 200, body: flavour === 'efi' ? { webhookUrl } : undefined };
  }

  const shown = (name: string): Reply => {
    const body = registered.get(name);
    return body ? { status: 200, body } : refused(404, 'WebhookNaoEncontrado', 'webhook_nao_encontrado');
  };

  const ofAccount = (name: string, appended: string): Route[] => {
    const path = new RegExp(`${base}/${name}`);
    return [
      {
        operation: 'webhook',
        method: 'PUT',
        path,
        reply: (exchange) => register([name, appended], exchange),
      },
      { operation: 'find', method: 'GET', path, reply: () => shown(name) },
    ];
  };

  const path = new RegExp(`${base}/webhook/([^/]+)`);
  return [
    {
      operation: 'webhook',
      method: 'PUT',
      path,
      reply: (exchange) => {
        const [chave = ''] = exchange.parameters;
        return chave === pixKey
          ? register(['webhook', '/pix'], exchange, chave)
          : refused(404, 'NaoEncontrado', 'chave_nao_encontrada');
      },
    },
    {
      operation: 'find',
      method: 'GET',
      path,
      reply: ({ parameters: [chave] }) => shown(chave === pixKey ? 'webhook' : ''),
    },
    ...ofAccount('webhookrec', '/rec'),
    ...ofAccount('webhookcobr', '/cobr'),
  ];
}
