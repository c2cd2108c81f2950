import { Alert, Anchor, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { BorderedSection, Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { securityDocument } from './documents.ts';
import { securityTexts } from './texts.ts';
import { type Statement, useStatements } from './use-statements.ts';

const icons = {
  fine: [CircleCheck, 'teal'],
  review: [TriangleAlert, 'orange'],
  info: [Info, 'gray'],
} as const;

/** A page has no room for all the people of a large organization. */
const shownNames = 5;

function Line({ statement: { state, sentence, names = [], to, link } }: { statement: Statement }) {
  const text = useTexts(securityTexts);
  const [Icon, color] = icons[state];
  const others = names.length - shownNames;
  const shown = [...names.slice(0, shownNames), ...(others > 0 ? [text.more(others)] : [])];
  return (
    <Group component="li" justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
      <Group gap="sm" wrap="nowrap" align="flex-start" miw={0}>
        <Icon
          size={18}
          aria-hidden
          color={`var(--mantine-color-${color}-text)`}
          style={{ flex: 'none', marginTop: 2 }}
        />
        <Stack gap={0} miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm">
            <VisuallyHidden>{text.states[state]}:</VisuallyHidden> {sentence}
          </Text>
          {shown.length > 0 && (
            <Text size="xs" c="dimmed">
              {shown.join(', ')}
            </Text>
          )}
        </Stack>
      </Group>
      <Anchor component={Link} href={to} size="sm" flex="none" aria-label={`${link}: ${sentence}`}>
        {link}
      </Anchor>
    </Group>
  );
}

function Statements() {
  const text = useTexts(securityTexts);
  const statementsOf = useStatements();
  const result = useServiceQuery(securityDocument, {}, { mode: 'live' });
  return (
    <QueryResult result={result}>
      {(security) => {
        const groups = statementsOf(security);
        return (['people', 'keys', 'control'] as const).map((group) => (
          <BorderedSection key={group} title={text[group]}>
            <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
              {groups[group].map((statement) => (
                <Line key={statement.sentence} statement={statement} />
              ))}
            </Stack>
          </BorderedSection>
        ));
      }}
    </QueryResult>
  );
}

export default function SecurityPage() {
  const text = useTexts(securityTexts);
  const { may } = useWorkplace();
  return (
    <Page title={text.title} about={text.about}>
      {may('members:manage') ? (
        <Statements />
      ) : (
        <Alert color="gray" icon={<Info />}>
          {text.ownersOnly}
        </Alert>
      )}
    </Page>
  );
}
