import { Button, Select, Text, Tooltip } from '@mantine/core';
import { useLocation } from 'wouter';
import type { Workplace } from '../../api/request.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useSession } from '../../base/use-session.ts';
import { useWorkplace, workplacePath } from '../../base/use-workplace.ts';

const messages = texts(
  {
    organization: 'Organização',
    mode: 'Modo',
    test: 'Teste',
    live: 'Produção',
    testHint: 'Cobranças de teste: nenhum dinheiro é movimentado',
    liveHint: 'Cobranças reais',
  },
  {
    organization: 'Organization',
    mode: 'Mode',
    test: 'Test',
    live: 'Live',
    testHint: 'Test payments: no money moves',
    liveHint: 'Real payments',
  },
);

/** Leads to the same list: a single payment or endpoint does not exist in the other workplace. */
function useMove() {
  const [location, navigate] = useLocation();
  return (workplace: Workplace) => {
    const list = /^\/[^/]+/.exec(location)?.[0] ?? '';
    navigate(`~/dashboard${workplacePath(workplace)}${list}`);
  };
}

/** Members of one organization see its name alone. */
export function OrganizationSwitch() {
  const text = useTexts(messages);
  const { me } = useSession();
  const { organizationId, organizationName, mode } = useWorkplace();
  const move = useMove();
  if (me.memberships.length < 2) {
    return (
      <Text fw={700} truncate>
        {organizationName}
      </Text>
    );
  }
  return (
    <Select
      size="xs"
      flex="0 1 260px"
      miw={0}
      aria-label={text.organization}
      value={organizationId}
      allowDeselect={false}
      data={me.memberships.map((each) => ({ value: each.organizationId, label: each.organizationName }))}
      onChange={(value) => {
        if (value) move({ organizationId: value, mode });
      }}
    />
  );
}

export function ModeSwitch() {
  const text = useTexts(messages);
  const { organizationId, mode } = useWorkplace();
  const move = useMove();
  const other = mode === 'test' ? 'live' : 'test';
  return (
    <Tooltip label={mode === 'test' ? text.testHint : text.liveHint}>
      <Button.Group aria-label={text.mode}>
        {(['test', 'live'] as const).map((each) => (
          <Button
            key={each}
            size="compact-sm"
            variant={each === mode ? 'filled' : 'default'}
            color={each === 'test' ? 'yellow.5' : 'teal'}
            aria-pressed={each === mode}
            onClick={() => {
              if (each === other) move({ organizationId, mode: other });
            }}
          >
            {text[each]}
          </Button>
        ))}
      </Button.Group>
    </Tooltip>
  );
}
