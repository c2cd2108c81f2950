import { ColorSwatch, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { graphql, type ResultOf } from '../../../api/graphql.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { useServiceQuery } from '../../../base/use-service.ts';
import { QueryResult } from '../../../ui/query-result.tsx';
import { type Accounts, colorOf } from '../base/accounts.ts';
import type { Rules } from '../base/documents.ts';
import classes from './simulation.module.css';

const simulateRoutingDocument = graphql(`
  query SimulateRouting($rules: RoutingRulesInput!, $from: DateTime!, $to: DateTime!) {
    simulateRouting(rules: $rules, from: $from, to: $to) {
      payments
      leftOut
      sampled
      isEstimate
      isTooLittle
      before {
        notCreated
        shares {
          credentialId
          payments
          share
          failures
          fees
        }
      }
      after {
        notCreated
        shares {
          credentialId
          payments
          share
          failures
          fees
        }
      }
    }
  }
`);

const messages = texts(
  {
    nothing: 'Não houve cobranças sobre as quais as regras decidem.',
    title: (count: string) => `${count} cobranças passadas, como foram e como seriam com estas regras`,
    estimate: (sampled: string) => `Os números são estimados a partir de ${sampled} delas.`,
    tooLittle: 'São poucas: participações e falhas são acaso.',
    leftOut: (count: string) =>
      `Ficam de fora ${count}, que indicam a credencial, têm vencimento ou são débitos.`,
    notCreated: (before: string, after: string) => `Sem cobrança criada: ${before} antes, ${after} depois.`,
    totalFees: (before: string, after: string) => `Tarifas das pagas: ${before} antes, ${after} depois.`,
    share: 'Participação',
    failures: 'Falhas',
    fees: 'Tarifas',
    before: 'antes',
    after: 'depois',
    credential: 'Credencial',
    sandbox: 'Sandbox integrado',
  },
  {
    nothing: 'There were no payments on which rules decide.',
    title: (count) => `${count} past payments, as they were and as they would be by these rules`,
    estimate: (sampled) => `The figures are estimated from ${sampled} of them.`,
    tooLittle: 'They are few: shares and failures are chance.',
    leftOut: (count) => `${count} are left out: they name their credential, have a due date or are debits.`,
    notCreated: (before, after) => `No charge created: ${before} before, ${after} after.`,
    totalFees: (before, after) => `Fees of those paid: ${before} before, ${after} after.`,
    share: 'Share',
    failures: 'Failures',
    fees: 'Fees',
    before: 'before',
    after: 'after',
    credential: 'Credential',
    sandbox: 'Built-in sandbox',
  },
);

type Simulated = ResultOf<typeof simulateRoutingDocument>['simulateRouting'];

type Share = Simulated['before']['shares'][number];

interface Row {
  id: string | null;
  name: string;
  color: string;
  before: Share | undefined;
  after: Share | undefined;
}

interface BarsProps {
  label: string;
  rows: readonly Row[];
  valueOf: (share: Share) => number;
}

/** Two bars whose parts have the colours of the credentials, the longer one as wide as there is room; a table says the same. */
function Bars({ label, rows, valueOf }: BarsProps) {
  const text = useTexts(messages);
  const bars = (['before', 'after'] as const).map((when) => {
    const parts = rows.map(({ color, [when]: share }) => ({ color, value: share ? valueOf(share) : 0 }));
    return { when, parts, whole: parts.reduce((sum, { value }) => sum + value, 0) };
  });
  const longest = Math.max(...bars.map(({ whole }) => whole));
  return bars.map(({ when, parts }) => (
    <Group key={when} gap="xs" wrap="nowrap" aria-hidden>
      <Text size="xs" className={classes.label}>
        {label} {text[when]}
      </Text>
      <div className={classes.bar}>
        {parts.map(({ color, value }) => (
          <span key={color} style={{ width: `${(100 * value) / longest}%`, background: color }} />
        ))}
      </div>
    </Group>
  ));
}

/** Null unless it is known for every credential. */
const totalFees = ({ shares }: Simulated['before']): number | null =>
  shares.reduce<number | null>((sum, { fees }) => (sum === null || fees === null ? null : sum + fees), 0);

function Outcomes({ simulated, accounts }: { simulated: Simulated; accounts: Accounts }) {
  const text = useTexts(messages);
  const { count, money, share: percent } = useFormats();
  const { before, after, payments, leftOut, sampled, isEstimate, isTooLittle } = simulated;
  if (payments === 0) return <Text size="sm">{text.nothing}</Text>;
  const ids = [...new Set([...before.shares, ...after.shares].map(({ credentialId }) => credentialId))];
  const rows: Row[] = ids.map((id, place) => ({
    id,
    name: id === null ? text.sandbox : (accounts.get(id)?.name ?? id),
    color: colorOf(id, accounts, place),
    before: before.shares.find(({ credentialId }) => credentialId === id),
    after: after.shares.find(({ credentialId }) => credentialId === id),
  }));
  const hasFees = [...before.shares, ...after.shares].some(({ fees }) => fees !== null && fees > 0);
  const feesBefore = totalFees(before);
  const feesAfter = totalFees(after);
  const said = (
    share: Share | undefined,
    name: 'share' | 'failures' | 'fees',
    format: (value: number) => string,
  ) => {
    const value = share ? share[name] : 0;
    return value === null ? '—' : format(value);
  };
  return (
    <Stack gap="xs" component="output" display="flex">
      <Text size="sm" fw={600}>
        {text.title(count(payments))}
      </Text>
      <Text size="sm">
        {[
          isTooLittle && text.tooLittle,
          isEstimate && text.estimate(count(sampled)),
          leftOut > 0 && text.leftOut(count(leftOut)),
          before.notCreated + after.notCreated > 0 &&
            text.notCreated(count(before.notCreated), count(after.notCreated)),
          hasFees &&
            feesBefore !== null &&
            feesAfter !== null &&
            text.totalFees(money(feesBefore), money(feesAfter)),
        ]
          .filter(Boolean)
          .join(' ')}
      </Text>
      <Bars label={text.share} rows={rows} valueOf={({ share }) => share} />
      {hasFees && <Bars label={text.fees} rows={rows} valueOf={({ fees }) => fees ?? 0} />}
      <ScrollArea type="auto" offsetScrollbars="x" viewportProps={{ tabIndex: 0 }}>
        <Table aria-label={text.title(count(payments))} fz="xs" className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              {[text.credential, text.share, text.failures, ...(hasFees ? [text.fees] : [])].map((label) => (
                <Table.Th key={label} scope="col">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ id, name, color, before: was, after: becomes }) => (
              <Table.Tr key={id}>
                <Table.Th scope="row">
                  <Group gap={6} wrap="nowrap">
                    <ColorSwatch color={color} size={10} withShadow={false} />
                    {name}
                  </Group>
                </Table.Th>
                {(
                  [
                    ['share', percent],
                    ['failures', count],
                    ...(hasFees ? ([['fees', money]] as const) : []),
                  ] as const
                ).map(([name, format]) => (
                  <Table.Td key={name}>
                    {said(was, name, format)} → {said(becomes, name, format)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </Stack>
  );
}

interface SimulationProps {
  rules: Omit<Rules, 'name'>;
  from: string;
  to: string;
  accounts: Accounts;
}

export default function Simulation({ rules, from, to, accounts }: SimulationProps) {
  const result = useServiceQuery(simulateRoutingDocument, { rules, from, to });
  return (
    <QueryResult result={result}>
      {({ simulateRouting: simulated }) => <Outcomes simulated={simulated} accounts={accounts} />}
    </QueryResult>
  );
}
