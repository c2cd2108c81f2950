import { texts, useTexts } from '../../base/language.tsx';

export interface Outcome {
  statusCode: number | null;
  error: string | null;
}

/** What the service says of requests without a response is English: here are the others. */
const messages = texts<{ errors: Readonly<Record<string, string>>; noResponse: (seconds: string) => string }>(
  {
    noResponse: (seconds) => `sem resposta em ${seconds} s`,
    errors: {
      'the connection was closed before a response': 'conexão encerrada antes da resposta',
      'the address is not public, and WEBHOOK_ALLOWED_HOSTS does not list its host':
        'o endereço não é público, e WEBHOOK_ALLOWED_HOSTS não lista o host',
      'the name does not resolve': 'nome de host não encontrado (DNS)',
      'the name could not be looked up': 'falha na consulta de DNS',
      'connection refused': 'conexão recusada',
      'the host cannot be reached': 'host inacessível',
      'no connection in time': 'tempo esgotado ao conectar',
      'the response headers are too long': 'cabeçalhos da resposta longos demais',
      'the response is not HTTP': 'a resposta não é HTTP',
      'TLS: certificate has expired': 'TLS: certificado expirado',
      'TLS: certificate is not valid yet': 'TLS: certificado ainda não é válido',
      'TLS: certificate is for another host': 'TLS: certificado de outro host',
      'TLS: certificate is self-signed': 'TLS: certificado autoassinado',
      'TLS: certificate is from an unknown authority': 'TLS: certificado de autoridade desconhecida',
      'TLS: certificate is not trusted': 'TLS: certificado não confiável',
      'TLS: handshake failed': 'TLS: falha na negociação',
      'aborted before a response': 'interrompida antes da resposta',
    },
  },
  { noResponse: (seconds) => `no response within ${seconds} s`, errors: {} },
);

/** Names the result of a request to an endpoint. */
export function useOutcomeText(): (outcome: Outcome) => string {
  const { errors, noResponse } = useTexts(messages);
  return ({ statusCode, error }) => {
    if (statusCode !== null) return `HTTP ${statusCode}`;
    const [, seconds] = /^no response within (.+) s$/.exec(error ?? '') ?? [];
    return seconds === undefined ? (errors[error ?? ''] ?? error ?? '—') : noResponse(seconds);
  };
}

export const isAccepted = ({ statusCode }: Pick<Outcome, 'statusCode'>): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;
