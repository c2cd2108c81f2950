import type { BrokenRule, Rule, RuleParams } from '../../../core/base/problems/rules.ts';
import { texts } from '../../base/language.tsx';

/** Each rule is worded as a sentence that stands at its field. */
type ProblemTexts = { [R in Rule]: (params: RuleParams[R]) => string };

const count = (locale: string) => {
  const format = new Intl.NumberFormat(locale);
  return (number: number) => format.format(number);
};
const inPortuguese = count('pt-BR');
const inEnglish = count('en-US');

const typesInPortuguese: Readonly<Record<string, string>> = {
  string: 'um texto',
  number: 'um número',
  boolean: 'sim ou não',
  array: 'uma lista',
};
const typesInEnglish: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'yes or no',
  array: 'a list',
};

const portuguese: ProblemTexts = {
  required: () => 'Campo obrigatório.',
  not_allowed: () => 'Este campo não se aplica aqui. Deixe-o vazio.',
  type: ({ expected }) => `Informe ${typesInPortuguese[expected] ?? 'um valor válido'}.`,
  minimum: ({ minimum }) => `O mínimo é ${inPortuguese(minimum)}.`,
  maximum: ({ maximum }) => `O máximo é ${inPortuguese(maximum)}.`,
  min_length: ({ minimum }) => `Use pelo menos ${inPortuguese(minimum)} caracteres.`,
  max_length: ({ maximum }) => `Use no máximo ${inPortuguese(maximum)} caracteres.`,
  max_items: ({ maximum }) => `Use no máximo ${inPortuguese(maximum)} itens.`,
  one_of: ({ choices }) => `Escolha uma das opções: ${choices.join(', ')}.`,
  decimals: ({ maximum }) => `Use no máximo ${maximum} casas decimais.`,
  whole_number: () => 'Informe um número inteiro.',
  format: () => 'O formato não é válido.',
  unicode: () => 'Há um caractere que não pode ser usado.',
  printable: ({ maximum }) =>
    `Use de 1 a ${inPortuguese(maximum)} caracteres visíveis, sem espaços nem acentos.`,
  email: () => 'Informe um e-mail válido.',
  document: () => 'Informe um CPF ou CNPJ.',
  check_digits: () => 'O CPF ou CNPJ não é válido: os dígitos verificadores não conferem.',
  phone: () => 'Informe um telefone com DDD.',
  id: () => 'Este ID não é válido.',
  instant: () => 'Informe data e hora válidas.',
  date: () => 'Esta data não é aceita.',
  future: () => 'Escolha uma data no futuro.',
  not_after: ({ other }) =>
    other === 'date' ? 'Não pode ser depois do vencimento.' : 'O início deve vir antes do fim.',
  max_days: ({ maximum }) => `O período pode ter no máximo ${inPortuguese(maximum)} dias.`,
  url: () => 'Informe uma URL completa, como https://loja.exemplo.com.br/pix.',
  https_url: () => 'Informe uma URL que comece com https://.',
  public_url: ({ host }) => `${host} não é acessível pela internet. Informe um endereço público.`,
  bare_url: () => 'A URL não pode conter usuário, senha nem #.',
  ip_range: () => 'Informe um endereço IPv4 ou IPv6, ou uma faixa como 203.0.113.0/24.',
  start_of_range: ({ range }) => `A faixa começa em outro endereço. Use ${range}.`,
  pem: () => 'O arquivo deve estar em PEM, de -----BEGIN a -----END.',
  header_name: () => 'Não é um nome de cabeçalho HTTP.',
  reserved: () => 'O próprio serviço define este cabeçalho.',
  repeated: () => 'Este nome está repetido.',
  no_colon: () => 'Não use dois-pontos.',
  unknown: ({ names }) => `Campo desconhecido: ${names.join(', ')}.`,
  unknown_credential: () => 'Uma das credenciais não existe nesta organização.',
  archived_credential: () => 'Uma das credenciais está arquivada. Restaure-a ou escolha outra.',
  default_credential: () => 'É a credencial padrão: torne outra a padrão primeiro.',
  default_fallback: () => 'É contingência da credencial padrão: escolha outras primeiro.',
  diverted_here: ({ names }) =>
    `Recebe cobranças direcionadas de ${names.join(', ')}: desfaça isso primeiro.`,
  in_recurrences: ({ count }) => `Tem ${count} recorrências ativas: encerre-as antes.`,
  in_rule_sets: ({ names }) => `Está em regras de roteamento: escolha outra em ${names.join(', ')}.`,
  default_rule_set: () => 'É a regra padrão de um modo: defina outra como padrão primeiro.',
  in_payment_links: ({ count }) => `Links de pagamento ativos a usam (${count}): desative-os primeiro.`,
  fixed: () => 'Identifica a conta e não pode ser editado. Adicione outra credencial.',
  together_with: () => 'Informe também este campo: ele acompanha o que você preencheu ou editou.',
  unless: () => 'Envie o certificado e a chave privada, ou um arquivo PKCS #12: o provedor exige TLS mútuo.',
  wrong_passphrase: () => 'A senha não abre o arquivo.',
  outdated_encryption: () =>
    'O arquivo usa uma criptografia antiga, como RC2. Converta-o com “openssl pkcs12 -legacy -in antigo.pfx -nodes -out pix.pem” e “openssl pkcs12 -export -in pix.pem -out pix.p12”.',
  unreadable_file: () => 'O arquivo não pode ser lido. Verifique se está completo.',
  other_key: () => 'A chave privada não é deste certificado.',
  weak_certificate: () => 'O certificado não pode ser usado: a cadeia está incompleta ou a chave é fraca.',
  image: () => 'O arquivo não é uma imagem PNG, JPEG ou WebP.',
  image_sides: ({ minimum, maximum }) =>
    `A imagem deve ter de ${minimum} a ${inPortuguese(maximum)} pixels de largura e de altura.`,
  max_bytes: ({ maximum }) => `O arquivo pode ter no máximo ${inPortuguese(maximum / 1000)} kB.`,
  hex_color: () => 'Informe uma cor como #0f766e.',
  contrast: ({ suggestion }) =>
    `Esta cor quase não se vê sobre branco. A mais próxima que pode ser usada é ${suggestion}.`,
  time_zone: () => 'Escolha um fuso horário de horas inteiras.',
  incorrect: () => 'Está incorreto.',
  already_used: () => 'Já foi usado. Aguarde o próximo.',
  different_from: () => 'Escolha um valor diferente do atual.',
  nothing_to_change: () => 'Não há nada a salvar.',
  invalid: () => 'Este valor não é aceito.',
};

const english: ProblemTexts = {
  required: () => 'This field is required.',
  not_allowed: () => 'This field does not apply here. Leave it empty.',
  type: ({ expected }) => `Enter ${typesInEnglish[expected] ?? 'a valid value'}.`,
  minimum: ({ minimum }) => `The minimum is ${inEnglish(minimum)}.`,
  maximum: ({ maximum }) => `The maximum is ${inEnglish(maximum)}.`,
  min_length: ({ minimum }) => `Use at least ${inEnglish(minimum)} characters.`,
  max_length: ({ maximum }) => `Use at most ${inEnglish(maximum)} characters.`,
  max_items: ({ maximum }) => `Use at most ${inEnglish(maximum)} items.`,
  one_of: ({ choices }) => `Choose one of: ${choices.join(', ')}.`,
  decimals: ({ maximum }) => `Use at most ${maximum} decimals.`,
  whole_number: () => 'Enter a whole number.',
  format: () => 'The format is not valid.',
  unicode: () => 'There is a character that cannot be used.',
  printable: ({ maximum }) => `Use 1 to ${inEnglish(maximum)} visible ASCII characters without spaces.`,
  email: () => 'Enter a valid e-mail address.',
  document: () => 'Enter a CPF or CNPJ.',
  check_digits: () => 'The CPF or CNPJ is not valid: its check digits do not match.',
  phone: () => 'Enter a phone number with its area code.',
  id: () => 'This ID is not valid.',
  instant: () => 'Enter a valid date and time.',
  date: () => 'This date is not accepted.',
  future: () => 'Choose a date in the future.',
  not_after: ({ other }) =>
    other === 'date' ? 'It cannot be after the due date.' : 'The start must come before the end.',
  max_days: ({ maximum }) => `The period can have at most ${inEnglish(maximum)} days.`,
  url: () => 'Enter a full URL such as https://shop.example.com/pix.',
  https_url: () => 'Enter a URL that starts with https://.',
  public_url: ({ host }) => `${host} cannot be reached from the internet. Enter a public address.`,
  bare_url: () => 'The URL must not contain a user name, a password or #.',
  ip_range: () => 'Enter an IPv4 or IPv6 address, or a range such as 203.0.113.0/24.',
  start_of_range: ({ range }) => `The range starts at another address. Use ${range}.`,
  pem: () => 'The file must be PEM, from -----BEGIN to -----END.',
  header_name: () => 'This is not the name of an HTTP header.',
  reserved: () => 'The service itself sets this header.',
  repeated: () => 'This name is used twice.',
  no_colon: () => 'Do not use a colon.',
  unknown: ({ names }) => `Unknown field: ${names.join(', ')}.`,
  unknown_credential: () => 'One of the credentials does not exist in this organization.',
  archived_credential: () => 'One of the credentials is archived. Restore it or choose another.',
  default_credential: () => 'It is the default credential: make another one the default first.',
  default_fallback: () => 'It is a fallback of the default credential: choose others first.',
  diverted_here: ({ names }) => `Payments of ${names.join(', ')} are routed to it: end that first.`,
  in_recurrences: ({ count }) => `It has ${count} active recurrences: end them first.`,
  in_rule_sets: ({ names }) => `Routing rules refer to it: choose another in ${names.join(', ')}.`,
  default_rule_set: () => 'It is the default rule of a mode: make another one the default first.',
  in_payment_links: ({ count }) => `Active payment links use it (${count}): deactivate them first.`,
  fixed: () => 'It identifies the account and cannot be edited. Add another credential.',
  together_with: () => 'Enter this field too: it goes with what you filled in or edited.',
  unless: () =>
    'Upload the certificate and private key, or a PKCS #12 file: the provider requires mutual TLS.',
  wrong_passphrase: () => 'The passphrase does not open the file.',
  outdated_encryption: () =>
    'The file uses an outdated encryption, such as RC2. Convert it with “openssl pkcs12 -legacy -in old.pfx -nodes -out pix.pem”, then “openssl pkcs12 -export -in pix.pem -out pix.p12”.',
  unreadable_file: () => 'The file cannot be read. Check that it is complete.',
  other_key: () => 'The private key does not belong to this certificate.',
  weak_certificate: () => 'The certificate cannot be used: its chain is incomplete or its key is weak.',
  image: () => 'The file is not a PNG, JPEG or WebP image.',
  image_sides: ({ minimum, maximum }) =>
    `The image must be ${minimum} to ${inEnglish(maximum)} pixels wide and high.`,
  max_bytes: ({ maximum }) => `The file can have ${inEnglish(maximum / 1000)} kB at most.`,
  hex_color: () => 'Enter a color such as #0f766e.',
  contrast: ({ suggestion }) =>
    `This color can hardly be seen on white. The nearest one that can be used is ${suggestion}.`,
  time_zone: () => 'Choose a time zone of whole hours.',
  incorrect: () => 'This is incorrect.',
  already_used: () => 'This has been used already. Wait for the next one.',
  different_from: () => 'Choose a value other than the current one.',
  nothing_to_change: () => 'There is nothing to save.',
  invalid: () => 'This value is not accepted.',
};

export const problemTexts = texts(portuguese, english);

export const wordingOf = (wordings: ProblemTexts, { rule, params }: BrokenRule): string =>
  (wordings[rule] as (params: object) => string)(params);
