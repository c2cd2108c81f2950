import { baseUrlText, type ProviderAbout, text } from '../../kit/about.ts';
import { presetNames, presetOf } from './presets.ts';
import type { BacenSettingName } from './settings.ts';

const presetLabels = Object.fromEntries(
  presetNames.map((name) => {
    const { displayName } = presetOf(name);
    return [name, text(displayName, displayName)];
  }),
);

export const bacenAbout: ProviderAbout<BacenSettingName> = {
  displayName: 'API Pix (Banco Central)',
  settings: {
    preset: {
      label: text('Banco/PSP', 'Bank/PSP'),
      help: text(
        'Aplica o que este banco tem de diferente do padrão do Banco Central. Deixe vazio se o seu não estiver na lista.',
        "Applies this bank's deviations from the Banco Central's standard. Leave it empty if yours is not listed.",
      ),
      options: presetLabels,
    },
    baseUrl: {
      label: baseUrlText.label,
      help: text(
        'Com a versão: as cobranças ficam em …/cob. Se o banco está na lista, altere apenas para o ambiente de testes.',
        "Up to the version: charges are at …/cob. With a preset, change it only to use the bank's test environment.",
      ),
    },
    tokenUrl: {
      label: text('URL do token', 'Token URL'),
      help: text(
        'Se vazio: a do banco escolhido, ou /oauth/token no servidor da API.',
        "Defaults to the preset's, else to /oauth/token on the API server.",
      ),
    },
    patchBaseUrl: {
      label: text('URL base para cancelamentos', 'Base URL for cancels'),
      help: text(
        'Somente se o banco atende o método PATCH em outro endereço.',
        'Only if the bank serves the PATCH method at another address.',
      ),
    },
    clientId: {
      label: text('Client ID', 'Client ID'),
      help: text(
        'Da aplicação cadastrada no portal do banco.',
        "Of the application registered in the bank's developer portal.",
      ),
    },
    clientSecret: {
      label: text('Client secret', 'Client secret'),
      help: text(
        'Da mesma aplicação. Testes e produção têm valores diferentes.',
        'Of the same application. Test and production have different ones.',
      ),
    },
    appKey: {
      label: text('Chave da aplicação', 'Application key'),
      help: text(
        'gw-dev-app-key (developer_application_key) da aplicação no portal do Banco do Brasil.',
        "The application's gw-dev-app-key (developer_application_key), from Banco do Brasil's developer portal.",
      ),
    },
    accountNumber: {
      label: text('Conta corrente', 'Account number'),
      help: text(
        'Somente se a aplicação tem acesso a várias contas; sem traço.',
        'Only if the application can access several accounts; without the hyphen.',
      ),
    },
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
    merchantCity: {
      label: text('Cidade do recebedor', 'Merchant city'),
      help: text('Faz parte do código Pix, como o nome.', 'Part of the Pix code, as is the name.'),
    },
    certificate: {
      label: text('Certificado (PEM)', 'Certificate (PEM)'),
      help: text(
        'O provedor exige mTLS: envie certificado e chave privada, ou um arquivo PKCS #12.',
        'The provider requires mTLS: upload a certificate and private key, or a PKCS #12 file.',
      ),
    },
    privateKey: {
      label: text('Chave privada (PEM)', 'Private key (PEM)'),
      help: text('A chave que corresponde ao certificado.', 'The key that belongs to the certificate.'),
    },
    pkcs12: {
      label: text('Arquivo PKCS #12 (.p12 ou .pfx)', 'PKCS #12 file (.p12 or .pfx)'),
      help: text('No lugar do certificado e da chave privada.', 'Instead of a certificate and private key.'),
    },
    passphrase: {
      label: text('Senha da chave ou do arquivo', 'Passphrase of the private key or file'),
      help: text('Somente se houver uma.', 'Only if there is one.'),
    },
    ca: {
      label: text('Autoridade certificadora (PEM)', 'Certificate authority (PEM)'),
      help: text(
        'Necessária apenas se o certificado do provedor não for emitido por uma autoridade pública.',
        "Needed only if the provider's certificate is not issued by a public authority.",
      ),
    },
    notificationAuth: {
      label: text('Autenticação das notificações', 'Notification authentication'),
      help: text(
        'Como uma notificação prova que vem do banco.',
        'How a notification proves that it comes from the bank.',
      ),
      options: {
        mtls: text('Certificado do banco (mTLS)', "The bank's certificate (mTLS)"),
        urlToken: text('Token secreto na URL de notificação', 'Secret token in the notification URL'),
      },
    },
    clientAuth: {
      label: text('Autenticação do cliente', 'Client authentication'),
      help: text('Como o token é pedido.', 'How the token is requested.'),
      options: {
        basic: text('Cabeçalho Authorization: Basic', 'Authorization: Basic header'),
        form: text('Client ID e secret no corpo', 'Client ID and secret in the body'),
        none: text('Somente certificado, sem secret', 'Certificate alone, no secret'),
      },
    },
    tokenBody: {
      label: text('Formato do pedido de token', 'Format of the token request'),
      help: text(
        'O padrão (RFC 6749) é o formulário; alguns bancos exigem JSON.',
        'The standard (RFC 6749) is a form; some banks require JSON.',
      ),
      options: { form: text('Formulário', 'Form'), json: text('JSON', 'JSON') },
    },
    scope: {
      label: text('Escopos', 'Scopes'),
      help: text('Separados por espaço; vazio pede nenhum.', 'Separated by spaces; empty requests none.'),
    },
    tokenQuery: {
      label: text('Parâmetros da URL do token', 'Query parameters of the token request'),
      help: text('Enviados somente no pedido de token.', 'Sent with the token request alone.'),
    },
    query: {
      label: text('Parâmetros da URL', 'Query parameters'),
      help: text('Enviados em todas as chamadas da API.', 'Sent with every call of the API.'),
    },
    headers: {
      label: text('Cabeçalhos HTTP', 'HTTP headers'),
      help: text(
        'Enviados em todas as chamadas, além dos do banco escolhido.',
        "Sent with every call, in addition to the preset's.",
      ),
    },
    requestIdHeader: {
      label: text('Cabeçalho de identificação da chamada', 'Request id header'),
      help: text('Recebe um novo UUID a cada chamada.', 'Carries a new UUID with every call.'),
    },
    compareKey: {
      label: text('Comparar a chave Pix das respostas', 'Compare the Pix key of responses'),
      help: text(
        'Desative somente se o banco devolve outro valor em “chave”.',
        'Turn it off only if the bank returns another value in “chave”.',
      ),
    },
    requestsPerMinute: {
      label: text('Limite de chamadas por minuto', 'Requests per minute'),
      help: text('O limite que o banco dá à sua conta.', "The bank's limit for your account."),
    },
    recurrenceBranch: {
      label: text('Agência para o Pix Automático', 'Branch for recurrences'),
      help: text('Somente se a conta tem uma.', 'Only if the account has one.'),
    },
    recurrenceAccount: {
      label: text('Conta para o Pix Automático', 'Account for recurrences'),
      help: text(
        'A conta que recebe os débitos, com o dígito e sem traço. Necessária apenas para o Pix Automático.',
        'The account that receives the debits, with its check digit and without a hyphen. Needed for recurrences only.',
      ),
    },
    recurrenceAccountType: {
      label: text('Tipo da conta para o Pix Automático', 'Type of the account for recurrences'),
      help: text('Como o banco a conhece.', 'As the bank knows it.'),
      options: {
        checking: text('Conta corrente', 'Checking account'),
        savings: text('Poupança', 'Savings account'),
        payment: text('Conta de pagamento', 'Payment account'),
      },
    },
  },
};
