import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { createPerson, signIn } from '../support/people.ts';
import { copyProject, type ProjectCopy } from '../support/project-copy.ts';
import { killServices, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

/** The recipe of docs/contributing: what is written by hand so that a payment has a `costCenter`. */
const recipe: Readonly<Record<string, readonly [text: string, by: string][]>> = {
  'prisma/schema.prisma': [
    [
      'externalId       String? ',
      'costCenter       String?          @map("cost_center")\n  externalId       String? ',
    ],
  ],
  'src/core/payments/rules/payment.ts': [
    ['  externalId: string | null;', '  externalId: string | null;\n  costCenter: string | null;'],
    ["  externalId: 'free text',", "  externalId: 'free text',\n  costCenter: 'free text',"],
  ],
  'src/core/payments/rules/create-payment-input.ts': [
    [
      '      externalId: textSchema(255)',
      "      costCenter: textSchema(50).optional().meta({ description: 'Your cost center.' }),\n      externalId: textSchema(255)",
    ],
  ],
  'src/core/payments/views/payment-view.ts': [
    [
      '  externalId: z.string()',
      "  costCenter: z.string().optional().meta({ description: 'Your cost center.' }),\n  externalId: z.string()",
    ],
    ['  externalId: true,', '  costCenter: true,\n  externalId: true,'],
    ['  externalId: payment.', '  costCenter: payment.costCenter ?? undefined,\n  externalId: payment.'],
  ],
  'src/graphql/payments/payment-inputs.ts': [
    [
      '  externalId?: string;',
      '  externalId?: string;\n\n  @Field(() => String, { nullable: true, description: newPayment.costCenter })\n  costCenter?: string;',
    ],
  ],
  'src/graphql/payments/payment-types.ts': [
    [
      '  externalId?: string;',
      '  externalId?: string;\n\n  @Field(() => String, { nullable: true, description: payment.costCenter })\n  costCenter?: string;',
    ],
  ],
  'src/core/reports/payment-export.ts': [
    [
      "  { pt: 'Referência',",
      "  { pt: 'Centro de custo', en: 'Cost center', cell: ({ payment }) => payment.costCenter ?? '' },\n  { pt: 'Referência',",
    ],
  ],
  'src/dashboard/pages/payment/base/documents.ts': [
    ['        externalId', '        costCenter\n        externalId'],
  ],
  'src/dashboard/pages/payment/payment-details.tsx': [
    ["    reference: 'Referência',", "    costCenter: 'Centro de custo',\n    reference: 'Referência',"],
    ["    reference: 'Reference',", "    costCenter: 'Cost center',\n    reference: 'Reference',"],
    [
      '        {payment.externalId &&',
      '        {payment.costCenter && <Fact name={text.costCenter}>{payment.costCenter}</Fact>}\n        {payment.externalId &&',
    ],
  ],
};

const classOfPrivacy = "  costCenter: 'free text',\n";
const payment = 'src/core/payments/rules/payment.ts';
const typescript = 'node_modules/typescript/bin/tsc';

let copy: ProjectCopy;
let app: TestApp;
let databaseUrl: string;

const build = () => copy.node(['scripts/build.mjs']);
const pix = (...args: string[]) =>
  copy.node(['dist/cli.js', ...args], { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: testKeys });

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  [copy, app] = await Promise.all([copyProject(), startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' })]);
  for (const [path, changes] of Object.entries(recipe))
    for (const [text, by] of changes) await copy.replace(path, text, by);
});

afterAll(async () => {
  await killServices();
  await app.stop();
  await copy.remove();
});

test('a field touches at most nine files, and one of which nobody says what it may tell does not compile', async () => {
  expect(Object.keys(recipe).length).toBeLessThanOrEqual(9);
  await copy.replace(payment, classOfPrivacy, '');
  await expect(copy.node([typescript, '-p', 'tsconfig.json', '--noEmit'])).rejects.toMatchObject({
    stdout: expect.stringMatching(/payment\.ts.*'costCenter' is missing/),
  });
  await copy.replace(
    payment,
    "  externalId: 'free text',\n",
    `  externalId: 'free text',\n${classOfPrivacy}`,
  );
});

test('what the recipe made compiles with what is generated from it', async () => {
  await build();
  await pix('migrate', '--create', 'add_cost_center');
  await pix('migrate');
  const schema = await pix('schema', 'print');
  expect(schema.match(/costCenter: String/g)).toHaveLength(3);
  await copy.write('schema.graphql', schema);
  await build();
  for (const folder of ['src/dashboard', 'test']) await copy.node([typescript, '-p', folder, '--noEmit']);
}, 900_000);

test('the field is stored, returned by REST, GraphQL and CSV, and forgotten with the payer', async () => {
  const person = await createPerson(app);
  const { organizationId } = person;
  const service = await startService({ DATABASE_URL: databaseUrl, ROLE: 'api' }, [], copy.directory);
  const { key } = JSON.parse(
    await pix('key', 'create', '--org', organizationId, '--mode', 'test', '--json'),
  ) as { key: string };
  const client = createClient(service.baseUrl, key);
  const payer = { name: 'Gumercindo Albuquerque', document: '529.982.247-25' };
  const costCenter = `Travel of ${payer.name}`;
  const { body: created } = await client.post('/v1/payments', { amount: 10, payer, costCenter });
  const id = String(created.id);
  // Past the client, which knows the document of the project alone.
  const rest = await fetch(`${service.baseUrl}/v1/payments/${id}`, { headers: { 'X-API-Key': key } });
  expect(await rest.json()).toMatchObject({ costCenter });
  const graphql = await client.graphql(`{ payment(id: "${id}") { costCenter } }`);
  expect(graphql.body).toEqual({ data: { payment: { costCenter } } });

  const cookie = await signIn(service, person);
  const parameters = new URLSearchParams({ organization: organizationId, mode: 'test', locale: 'en' });
  const file = await fetch(`${service.baseUrl}/dashboard/payments.csv?${parameters.toString()}`, {
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'none' },
  });
  expect(await file.text()).toMatch(new RegExp(`Cost center[^]*${costCenter}`));

  await client.graphql(`mutation { cancelPayment(id: "${id}") { id } }`);
  await pix('person', 'forget', '--org', organizationId, '--document', payer.document, '--yes');
  const [row] = await query(databaseUrl, 'SELECT cost_center FROM payment WHERE id = $1', [id]);
  expect(row?.['cost_center']).toMatch(/^Travel of forgotten-/);
});
