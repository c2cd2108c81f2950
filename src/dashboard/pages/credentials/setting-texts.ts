import { texts } from '../../shell/language.tsx';

interface SettingText {
  label: string;
  about?: string;
}

/** Settings that have no words here are called by their names. */
export const settingTexts = texts<Readonly<Record<string, SettingText>>>(
  {
    apiKey: { label: 'Chave de API' },
    webhookToken: {
      label: 'Token do webhook',
      about: 'O mesmo que você informa no webhook da Asaas, como token de autenticação.',
    },
    baseUrl: { label: 'Endereço da API', about: 'Mude só para o ambiente de testes do provedor.' },
    tokenUrl: { label: 'Endereço do token', about: 'Sem ele: /oauth/token no mesmo servidor da API.' },
    clientId: { label: 'Client ID' },
    clientSecret: { label: 'Client secret' },
    pixKey: { label: 'Chave Pix', about: 'A chave que recebe: CPF, CNPJ, e-mail, telefone ou aleatória.' },
    merchantName: { label: 'Nome do recebedor', about: 'Aparece para o pagador no aplicativo do banco.' },
    merchantCity: { label: 'Cidade do recebedor' },
    certificate: {
      label: 'Certificado (PEM)',
      about: 'O provedor exige mTLS: envie certificado e chave privada, ou um arquivo PKCS #12.',
    },
    privateKey: { label: 'Chave privada (PEM)' },
    pkcs12: {
      label: 'Arquivo PKCS #12 (.p12 ou .pfx)',
      about: 'No lugar do certificado e da chave privada.',
    },
    passphrase: { label: 'Senha da chave ou do arquivo' },
    ca: {
      label: 'Autoridade certificadora (PEM)',
      about: 'Só se o certificado do provedor não é de uma autoridade conhecida.',
    },
    preset: {
      label: 'Provedor conhecido',
      about: 'Preenche o que este provedor tem de diferente do padrão do Banco Central.',
    },
    notificationAuth: {
      label: 'Como o provedor se identifica ao notificar',
      about: 'mtls: com um certificado. urlToken: pelo endereço secreto de notificação.',
    },
    accessToken: { label: 'Access token', about: 'O de produção, em Suas integrações.' },
    webhookSecret: { label: 'Assinatura secreta do webhook' },
    payerEmailFallback: {
      label: 'E-mail para pagadores sem e-mail',
      about: 'O Mercado Pago exige um; este vale quando a cobrança não traz.',
    },
    secretKey: { label: 'Chave secreta' },
    webhookUser: { label: 'Usuário do webhook' },
    webhookPassword: { label: 'Senha do webhook' },
    appId: { label: 'AppID' },
  },
  {
    apiKey: { label: 'API key' },
    webhookToken: {
      label: 'Webhook token',
      about: 'The one that you enter in the webhook at Asaas as its authentication token.',
    },
    baseUrl: {
      label: 'Address of the API',
      about: 'Change it only for the test environment of the provider.',
    },
    tokenUrl: { label: 'Address of the token', about: 'Without it: /oauth/token on the server of the API.' },
    clientId: { label: 'Client ID' },
    clientSecret: { label: 'Client secret' },
    pixKey: { label: 'Pix key', about: 'The key that receives: CPF, CNPJ, e-mail, phone or random.' },
    merchantName: { label: 'Name of the receiver', about: 'Payers see it in the app of their bank.' },
    merchantCity: { label: 'City of the receiver' },
    certificate: {
      label: 'Certificate (PEM)',
      about: 'The provider demands mTLS: give certificate and private key, or a PKCS #12 file.',
    },
    privateKey: { label: 'Private key (PEM)' },
    pkcs12: { label: 'PKCS #12 file (.p12 or .pfx)', about: 'In place of certificate and private key.' },
    passphrase: { label: 'Passphrase of the key or file' },
    ca: {
      label: 'Certificate authority (PEM)',
      about: 'Only if the certificate of the provider is not from a known authority.',
    },
    preset: {
      label: 'Known provider',
      about: 'Brings what this provider does otherwise than the standard of the Banco Central.',
    },
    notificationAuth: {
      label: 'How the provider identifies itself when it notifies',
      about: 'mtls: by a certificate. urlToken: by the secret notification address.',
    },
    accessToken: { label: 'Access token', about: 'That of production, under Your integrations.' },
    webhookSecret: { label: 'Secret signature of the webhook' },
    payerEmailFallback: {
      label: 'E-mail for payers without one',
      about: 'Mercado Pago demands one; this is used when the payment brings none.',
    },
    secretKey: { label: 'Secret key' },
    webhookUser: { label: 'Webhook user' },
    webhookPassword: { label: 'Webhook password' },
    appId: { label: 'AppID' },
  },
);
