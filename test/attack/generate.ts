import { randomInt } from 'node:crypto';

const pick = <T>(of: readonly T[]): T => {
  const picked = of[randomInt(of.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
};

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');

const paymentFields = 'id amount status metadata pixQrCodeBase64 pixCopyPaste';

/** Documents that ask for more than anybody needs: aliases, depth, fragments, variables, sizes. */
const documents: readonly (() => { query: string; variables?: object })[] = [
  () => ({
    query: `query ($n: Int!) { ${times(15, (i) => `a${i}: payments(first: $n) { edges { node { ${paymentFields} } } }`)} }`,
    variables: { n: 100 },
  }),
  () => ({
    query: `query ($n: Int! = 100) { payments(first: $n) { edges { ${times(15, (i) => `n${i}: node { ${paymentFields} }`)} } } }`,
  }),
  () => ({
    query: `{ payments(first: 100) { edges { node { ...f0 } } } } ${times(40, (i) => `fragment f${i} on Payment { metadata ...f${i + 1} }`)} fragment f40 on Payment { id }`,
  }),
  () => ({
    query: `{ payments { edges { node { ...a } } } } fragment a on Payment { ...b } fragment b on Payment { ...a }`,
  }),
  () => ({ query: `{ ${'payments { edges { node { '.repeat(randomInt(200))} id` }),
  () => ({ query: `{ __schema { types { ${'fields { type { '.repeat(9)} name ${'} } '.repeat(9)} } } }` }),
  () => ({
    query: `{ ${times(14, (i) => `s${i}: __schema { types { name fields { name args { name } type { name ofType { name } } } } }`)} }`,
  }),
  () => ({ query: `query (${times(300, (i) => `$v${i}: JSONObject`)}) { payments { edges { cursor } } }` }),
  () => ({ query: `{ events(first: 100) { edges { node { id data { metadata pixQrCodeBase64 } } } } }` }),
  () => ({
    query: `mutation ($input: CreatePaymentInput!) { ${times(15, (i) => `c${i}: createPayment(input: $input) { id metadata }`)} }`,
    variables: { input: { amount: 1, metadata: nested(randomInt(60)) } },
  }),
  () => ({ query: '#'.repeat(randomInt(60_000)) }),
  () => ({ query: `{ payment(id: "${'x'.repeat(randomInt(40_000))}") { id } }` }),
];

function nested(depth: number): unknown {
  if (depth === 0) return { end: 1e308 };
  const inner = nested(depth - 1);
  return pick([{ a: inner }, { a: [inner] }]);
}

export const anyDocument = (): string => JSON.stringify(pick(documents)());

/** Bodies of a create, mostly wrong. */
const bodies: readonly (() => string)[] = [
  () => JSON.stringify({ amount: 1, metadata: nested(randomInt(40)) }),
  () => JSON.stringify({ amount: 1, metadata: { a: '{},'.repeat(randomInt(6_000)) } }),
  () => `{"amount": 1, "metadata": {"a": [${'{},'.repeat(randomInt(5_000))}{}]}}`,
  () => `{"amount": 1, "metadata": {${times(randomInt(3_000), (i) => `"m${i}": 1,`)} "end": 1}}`,
  () => '['.repeat(randomInt(60_000)),
  () => `{"amount": ${'9'.repeat(randomInt(1, 50_000))}}`,
  () => JSON.stringify({ amount: 1, description: '\u{1F4A3}'.repeat(randomInt(15_000)) }),
  () => JSON.stringify({ amount: 1, payer: { document: '1'.repeat(randomInt(60_000)) } }),
  () => 'x'.repeat(randomInt(400_000)),
];

export const anyBody = (): string => pick(bodies)();
