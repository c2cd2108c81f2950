import { baseUrlText, type ProviderAbout, text } from '../kit/about.ts';
import type { BacenSettingName } from './settings.ts';

export const bacenAbout: ProviderAbout<BacenSettingName> = {
  displayName: 'API Pix (Banco Central)',
  settings: {
    baseUrl: baseUrlText,
    tokenUrl: {
      label: text('URL do token', 'Token URL'),
      help: text('Se vazio: /oauth/token no servidor da API.', 'Defaults to /oauth/token on the API server.'),
    },
    clientId: { label: text('Client ID', 'Client ID') },
    clientSecret: { label: text('Client secret', 'Client secret') },
    pixKey: {
      label: text('Chave Pix', 'Pix key'),
      help: text(
        'A chave recebedora: CPF, CNPJ, e-mail, telefone ou aleatória.',
        'The receiving key: CPF, CNPJ, e-mail, phone or random.',
      ),
    },
    merchantName: {
      label: text('Nome do recebedor', 'Merchant name'),
      help: text('Aparece para o pagador no aplicativo do banco.', 'Shown to payers in their banking app.'),
    },
    merchantCity: { label: text('Cidade do recebedor', 'Merchant city') },
    certificate: {
      label: text('Certificado (PEM)', 'Certificate (PEM)'),
      help: text(
        'O provedor exige mTLS: envie certificado e chave privada, ou um arquivo PKCS #12.',
        'The provider requires mTLS: upload a certificate and private key, or a PKCS #12 file.',
      ),
    },
    privateKey: { label: text('Chave privada (PEM)', 'Private key (PEM)') },
    pkcs12: {
      label: text('Arquivo PKCS #12 (.p12 ou .pfx)', 'PKCS #12 file (.p12 or .pfx)'),
      help: text('No lugar do certificado e da chave privada.', 'Instead of a certificate and private key.'),
    },
    passphrase: {
      label: text('Senha da chave ou do arquivo', 'Passphrase of the private key or file'),
    },
    ca: {
      label: text('Autoridade certificadora (PEM)', 'Certificate authority (PEM)'),
      help: text(
        'Necessária apenas se o certificado do provedor não for emitido por uma autoridade pública.',
        "Needed only if the provider's certificate is not issued by a public authority.",
      ),
    },
    preset: {
      label: text('Banco/PSP', 'Bank/PSP'),
      help: text(
        'Aplica o que este provedor tem de diferente do padrão do Banco Central.',
        "Applies this provider's deviations from the Banco Central's standard.",
      ),
    },
    notificationAuth: {
      label: text('Autenticação das notificações', 'Notification authentication'),
      help: text(
        'mtls: certificado do provedor. urlToken: token secreto na URL de notificação.',
        "mtls: the provider's client certificate. urlToken: the secret token in the notification URL.",
      ),
    },
  },
};
