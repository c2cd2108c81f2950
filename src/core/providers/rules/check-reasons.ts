import type { LocalizedText } from '../../base/localized-text.ts';

const text = (en: string, pt: string): LocalizedText => ({ en, pt });

/**
 * Why a stage of a credential's check failed or was skipped, in words for whoever manages the account at the provider. The
 * command line prints English, the dashboard its own language.
 */
export const checkReasons = {
  wrong_key: text(
    'The provider does not accept the key, or the client ID and secret. Copy them again from the provider: test and production have different ones.',
    'O provedor não aceita a chave, ou o client ID e o client secret. Copie-os novamente do provedor: testes e produção têm dados diferentes.',
  ),
  certificate_rejected: text(
    'The provider does not accept the client certificate. It may belong to the other environment or to another application, or may not be registered yet.',
    'O provedor não aceita o certificado. Ele pode ser do outro ambiente ou de outra aplicação, ou ainda não estar cadastrado.',
  ),
  certificate_missing: text(
    'The provider requires a client certificate: add it to the credential.',
    'O provedor exige um certificado: adicione-o à credencial.',
  ),
  certificate_expired: text(
    'The client certificate has expired. Get a new one from the provider and save it in the credential.',
    'O certificado venceu. Obtenha um novo com o provedor e salve-o na credencial.',
  ),
  certificate_not_yet_valid: text(
    "The client certificate is not valid yet. Check its dates and this server's clock.",
    'O certificado ainda não é válido. Confira as datas dele e o relógio deste servidor.',
  ),
  scope_missing: text(
    'The provider accepts the credential but does not allow this operation. Enable the missing scope or permission at the provider.',
    'O provedor aceita a credencial, mas não permite esta operação. Habilite no provedor o escopo ou a permissão que falta.',
  ),
  account_not_enabled: text(
    'The provider has not released this API for the account yet. Ask its support to release it.',
    'O provedor ainda não liberou esta API para a conta. Solicite a liberação ao suporte dele.',
  ),
  address_not_allowed: text(
    "The provider accepts requests from registered addresses only. Register this server's IP address there.",
    'O provedor só aceita requisições de endereços cadastrados. Cadastre nele o endereço IP deste servidor.',
  ),
  wrong_pix_key: text(
    'The Pix key is not registered for this account at the provider.',
    'A chave Pix não está cadastrada para esta conta no provedor.',
  ),
  wrong_base_url: text(
    "There is a server at this address, but it is not the provider's API. Check the API base URL and the environment.",
    'Há um servidor neste endereço, mas não é a API do provedor. Confira a URL base da API e o ambiente.',
  ),
  host_unknown: text(
    'The host name of the URL could not be found. Check the URL for typing mistakes.',
    'O host da URL não foi encontrado. Confira se a URL foi digitada corretamente.',
  ),
  host_not_allowed: text(
    'The host has a private address and is not listed in PSP_ALLOWED_HOSTS.',
    'O host tem um endereço privado e não está em PSP_ALLOWED_HOSTS.',
  ),
  unreachable: text(
    'The provider did not respond. Check the firewall, and whether the provider is available.',
    'O provedor não respondeu. Confira o firewall e se o provedor está disponível.',
  ),
  untrusted_server: text(
    "The server's certificate is not trusted. Check the URL; if the bank uses an authority of its own, add it to the credential.",
    'O certificado do servidor não é confiável. Confira a URL; se o banco usa uma autoridade certificadora própria, adicione-a à credencial.',
  ),
  clock_wrong: text(
    "The server's certificate has expired or is not valid yet, by this server's clock. Check the clock first.",
    'Pelo relógio deste servidor, o certificado do provedor venceu ou ainda não é válido. Confira primeiro o relógio.',
  ),
  rate_limited: text(
    'The provider refuses requests for now: too many were made. Try again in a few minutes.',
    'O provedor está recusando requisições por excesso de chamadas. Tente novamente em alguns minutos.',
  ),
  provider_failing: text(
    'The provider reports a failure of its own. Try again later.',
    'O provedor relatou um erro interno. Tente novamente mais tarde.',
  ),
  request_refused: text(
    'The provider refused the request. Its support can explain the code.',
    'O provedor recusou a requisição. O suporte dele pode explicar o código.',
  ),
  unexpected_response: text(
    'The provider responded in an unexpected way. Check the API base URL and the preset.',
    'O provedor respondeu de forma inesperada. Confira a URL base da API e o banco escolhido.',
  ),
  unusable: text(
    'The stored settings cannot be used.',
    'Os dados armazenados da credencial não podem ser usados.',
  ),
  webhook_missing: text(
    'The provider has no webhook for this credential, so payments are only found by polling. Register it.',
    'O provedor não tem webhook para esta credencial, e os pagamentos só são encontrados por consulta. Cadastre-o.',
  ),
  webhook_elsewhere: text(
    'The provider notifies another URL. Register the webhook again, unless another system needs it.',
    'O provedor notifica outra URL. Cadastre o webhook novamente, a menos que outro sistema precise dela.',
  ),
  webhook_incomplete: text(
    'The webhook is incomplete: its events or its secret differ, or the credential lacks the secret. Register it again.',
    'O webhook está incompleto: os eventos ou o segredo diferem, ou falta o segredo na credencial. Cadastre-o novamente.',
  ),
  webhook_paused: text(
    'The provider has paused the webhook, usually after failed deliveries. Register it again to resume it.',
    'O provedor pausou o webhook, normalmente após falhas de entrega. Cadastre-o novamente para retomá-lo.',
  ),
  webhook_refused: text(
    'The provider refused the notification URL. It must respond over https from the internet, with mutual TLS if the bank requires it.',
    'O provedor recusou a URL de notificação. Ela precisa responder por https pela internet, com mTLS se o banco exigir.',
  ),
  webhook_taken: text(
    'The bank already has this notification URL in another registration. Use one credential for each Pix key, and ask the bank to delete the earlier registration.',
    'O banco já tem esta URL de notificação em outro cadastro. Use uma credencial para cada chave Pix e peça ao banco que exclua o cadastro anterior.',
  ),
  webhook_per_charge: text(
    'The notification URL is sent with each charge: there is nothing to register.',
    'A URL de notificação é enviada em cada cobrança: não há o que cadastrar.',
  ),
  webhook_in_panel: text(
    "The provider has no API for its webhooks: enter the notification URL in the provider's panel.",
    'O provedor não tem API para webhooks: informe a URL de notificação no painel dele.',
  ),
  no_webhook: text('The sandbox sends no notifications.', 'O sandbox não envia notificações.'),
  no_sign_in: text(
    'The key goes with every request: the lookup shows whether it is accepted.',
    'A chave acompanha cada requisição: a consulta mostra se ela é aceita.',
  ),
  no_certificate: text('The credential has no client certificate.', 'A credencial não tem certificado.'),
  failed_before: text('An earlier stage failed.', 'Uma etapa anterior falhou.'),
} satisfies Record<string, LocalizedText>;

export type CheckReason = keyof typeof checkReasons;
