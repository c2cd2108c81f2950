// @ts-check
// What pages of the documentation say around their text.

/**
 * @typedef {'en' | 'pt'} Language
 * @typedef {typeof english} Words
 */

const english = {
  lang: 'en',
  /** Its name, as a link from the other language, and where there is little room. */
  name: 'English',
  short: 'EN',
  /** Below /docs. */
  folder: '',
  product: 'PIX payment service',
  skip: 'Skip to content',
  menu: 'Menu',
  search: 'Search (/)',
  searchLabel: 'Search the documentation',
  theme: 'Use the other theme',
  navigation: 'Documentation',
  onThisPage: 'On this page',
  neighbours: 'Previous and next page',
  previous: 'Previous',
  next: 'Next',
  markdown: 'This page as Markdown',
  table: 'Table',
  linkTo: 'Link to',
  own: 'Use your address and test key in the examples',
  ownAddress: 'Address of the service',
  ownKey: 'Test key',
  ownShow: 'Show in the examples',
  ownReason:
    'Both are kept in this browser and sent nowhere. Only test keys are accepted, which begin with pk_test_: a live key moves money, and does not belong in a browser.',
  ownAddressFormat: 'An address such as https://pix.example.com, without a path',
  reference: {
    title: 'Reference',
    rest: 'REST reference',
    graphql: 'GraphQL reference',
    graphqlTypes: 'GraphQL types',
    openapi: 'OpenAPI document',
    changelog: 'Changelog',
  },
  lost: 'Page not found',
  lostText: 'There is no page at this address. Search for it above, or begin at the',
  firstPage: 'first page',
};

/** @type {Words} */
const portuguese = {
  lang: 'pt-BR',
  name: 'Português',
  short: 'PT',
  folder: 'pt/',
  product: 'Serviço de pagamentos PIX',
  skip: 'Ir para o conteúdo',
  menu: 'Menu',
  search: 'Buscar (/)',
  searchLabel: 'Buscar na documentação',
  theme: 'Usar o outro tema',
  navigation: 'Documentação',
  onThisPage: 'Nesta página',
  neighbours: 'Página anterior e próxima',
  previous: 'Anterior',
  next: 'Próxima',
  markdown: 'Esta página em Markdown',
  table: 'Tabela',
  linkTo: 'Link para',
  own: 'Use seu endereço e sua chave de teste nos exemplos',
  ownAddress: 'Endereço do serviço',
  ownKey: 'Chave de teste',
  ownShow: 'Mostrar nos exemplos',
  ownReason:
    'Os dois ficam neste navegador e não são enviados a lugar nenhum. Só são aceitas chaves de teste, que começam com pk_test_: uma chave de produção movimenta dinheiro e não deve ficar em um navegador.',
  ownAddressFormat: 'Um endereço como https://pix.example.com, sem caminho',
  reference: {
    title: 'Referência',
    rest: 'Referência da API REST',
    graphql: 'Referência do GraphQL',
    graphqlTypes: 'Tipos do GraphQL',
    openapi: 'Documento OpenAPI',
    changelog: 'Histórico de versões',
  },
  lost: 'Página não encontrada',
  lostText: 'Não há página neste endereço. Busque acima ou comece pela',
  firstPage: 'página inicial',
};

/** @type {Record<Language, Words>} */
export const wordsOf = { en: english, pt: portuguese };
