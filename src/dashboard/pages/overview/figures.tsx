import { Anchor, Box, Paper, SimpleGrid, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'wouter';
import type { ResultOf } from '../../api/graphql.ts';
import { type Formats, texts, useFormats, useTexts } from '../../base/language.tsx';
import classes from '../../ui/figures/card.module.css';
import { changeFormat, changeOf, directionOf } from './change.ts';
import type { statisticsFigures } from './documents.ts';

type Statistics = ResultOf<typeof statisticsFigures>;

const messages = texts(
  {
    volume: 'Volume pago',
    refunded: 'Estornado',
    reversed: 'Devolução pelo banco (MED ou contestação)',
    completed: 'Pagos',
    created: 'Criados',
    failed: 'Falharam ao criar',
    conversion: 'Conversão',
    timeToPay: 'Tempo até o pagamento (mediana)',
    list: 'Ver lista',
    before: (value: string) => `anterior: ${value}`,
    points: (value: string) => `${value} p.p.`,
  },
  {
    volume: 'Volume paid',
    refunded: 'Refunded',
    reversed: 'Reversed (MED or dispute)',
    completed: 'Paid',
    created: 'Created',
    failed: 'Failed to create',
    conversion: 'Conversion',
    timeToPay: 'Time to pay (median)',
    list: 'View list',
    before: (value) => `previous: ${value}`,
    points: (value) => `${value} pp`,
  },
);

interface Figure {
  name: 'volume' | 'refunded' | 'reversed' | 'completed' | 'created' | 'failed' | 'conversion' | 'timeToPay';
  valueOf: (statistics: Statistics) => number | null;
  format: (formats: Formats, value: number) => string;
  /** Which direction is an improvement, if one is. */
  good?: 1 | -1;
  /** Anything above zero is in red. */
  isTrouble?: true;
  /** What the list of payments is asked for, beside the days on which they were created. */
  list?: string;
  /** Its list has those that failed as well, so that it says something else where there are any. */
  isWithoutFailed?: true;
}

/** Every payment that was paid was paid since then. */
export const paidEver = '&paidFrom=2020-01-01';

const figures: Figure[] = [
  {
    name: 'volume',
    valueOf: ({ volume }) => volume,
    format: ({ money }, value) => money(value),
    good: 1,
    list: paidEver,
  },
  {
    name: 'refunded',
    valueOf: ({ refunded }) => refunded,
    format: ({ money }, value) => money(value),
    good: -1,
    list: '&refunded=true',
  },
  {
    name: 'reversed',
    valueOf: ({ reversed }) => reversed,
    format: ({ money }, value) => money(value),
    good: -1,
  },
  {
    name: 'completed',
    valueOf: ({ completed }) => completed,
    format: ({ count }, value) => count(value),
    good: 1,
    list: paidEver,
  },
  {
    name: 'created',
    valueOf: ({ created }) => created,
    format: ({ count }, value) => count(value),
    list: '',
    isWithoutFailed: true,
  },
  {
    name: 'failed',
    valueOf: ({ failed }) => failed,
    format: ({ count }, value) => count(value),
    good: -1,
    isTrouble: true,
    list: '&status=failed',
  },
  {
    name: 'conversion',
    valueOf: ({ conversion, created, failed }) => (created + failed === 0 ? null : conversion),
    format: ({ share }, value) => share(value),
    good: 1,
  },
  {
    name: 'timeToPay',
    valueOf: ({ medianSecondsToPay }) => medianSecondsToPay,
    format: ({ seconds }, value) => seconds(value),
    good: -1,
  },
];

function useChange() {
  const text = useTexts(messages);
  const { locale } = useFormats();
  const points = new Intl.NumberFormat(locale, changeFormat);
  const share = new Intl.NumberFormat(locale, { ...changeFormat, style: 'percent' });
  return ({ name }: Figure, value: number, before: number) => {
    const isShare = name === 'conversion';
    const change = changeOf(value, before, isShare);
    const shown = isShare ? text.points(points.format(change * 100)) : share.format(change);
    return { shown, direction: directionOf(change) };
  };
}

function Comparison({ figure, value, before }: { figure: Figure; value: number | null; before: number }) {
  const text = useTexts(messages);
  const formats = useFormats();
  const change = useChange();
  const { shown, direction } = change(figure, value ?? before, before);
  const gain = direction * (figure.good ?? 0);
  return (
    <Stack gap={0} component="dd" m={0}>
      {value !== null && before > 0 && (
        <Text size="sm" fw={600} c={gain > 0 ? 'teal' : gain < 0 ? 'red' : 'dimmed'}>
          {shown}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {text.before(figure.format(formats, before))}
      </Text>
    </Stack>
  );
}

/** The font size at which the text just fits, in hundredths of the card's width; a character is about 0.62 of it wide. */
const fittingSize = (text: string): number => 100 / (0.62 * Math.max(text.length, 1));

function Value({ isTrouble, children }: { isTrouble: boolean; children: string }) {
  return (
    <Box component="dd" m={0} style={{ containerType: 'inline-size' }}>
      <Text
        fw={700}
        style={{
          fontSize: `min(var(--mantine-font-size-xl), ${fittingSize(children).toFixed(1)}cqi)`,
          whiteSpace: 'nowrap',
        }}
        {...(isTrouble && { c: 'red' })}
      >
        {children}
      </Text>
    </Box>
  );
}

interface FiguresProps {
  statistics: Statistics;
  before: Statistics | undefined;
  /** The first day of the period, which ends today. */
  firstDay: string;
}

export function Figures({ statistics, before, firstDay }: FiguresProps) {
  const text = useTexts(messages);
  const formats = useFormats();
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 2, md: 4 }} spacing="sm">
      {figures.map((figure) => {
        const value = figure.valueOf(statistics);
        const valueBefore = before ? figure.valueOf(before) : null;
        return (
          <Paper
            key={figure.name}
            withBorder
            p={{ base: 'xs', xs: 'md' }}
            className={classes.card}
            __vars={{ '--rows': '4' }}
          >
            <Text size="sm" c="dimmed" component="dt">
              {text[figure.name]}
            </Text>
            <Value isTrouble={!!figure.isTrouble && !!value}>
              {value === null ? '—' : figure.format(formats, value)}
            </Value>
            {figure.list !== undefined && !!value && !(figure.isWithoutFailed && statistics.failed > 0) && (
              <Text component="dd" m={0} size="xs">
                <Anchor component={Link} href={`/payments?from=${firstDay}${figure.list}`} size="xs">
                  {text.list} <VisuallyHidden>({text[figure.name]})</VisuallyHidden>
                </Anchor>
              </Text>
            )}
            {valueBefore !== null && <Comparison figure={figure} value={value} before={valueBefore} />}
          </Paper>
        );
      })}
    </SimpleGrid>
  );
}
