import { Alert, Anchor, Group, List } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { conditionPath, conditionSentence } from '../../../core/health/rules/condition-words.ts';
import { cutTo } from '../../../core/base/text.ts';
import { DivertButton } from '../../parts/diversion/divert-button.tsx';
import { UndoDiversion } from '../../parts/diversion/undo-diversion.tsx';
import { isFailing, type ShownCondition, useAttention } from '../../parts/use-attention.ts';
import { texts, useFormats, useLanguage, useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';

/** The URL of an endpoint may have hundreds of characters. */
const maximumLength = 60;

const messages = texts({ title: 'Precisa de atenção' }, { title: 'Needs attention' });

interface ItemProps {
  condition: ShownCondition;
  isDiverted: boolean;
}

/** The way out of an outage, and back. */
function Action({ condition, isDiverted }: ItemProps) {
  const { subject, kind } = condition;
  if (!useWorkplace().may('credentials:manage') || !subject) return null;
  if (kind === 'credential_diverted') return <UndoDiversion credential={subject} />;
  return isFailing(condition) && !isDiverted && <DivertButton credential={subject} />;
}

function Item({ condition, isDiverted }: ItemProps) {
  const { language } = useLanguage();
  const formats = useFormats();
  const name = condition.subject?.name ?? '';
  const beginning = cutTo(name, maximumLength);
  const sentence = conditionSentence(condition, language, formats);
  return (
    <List.Item>
      <Group gap="xs">
        <Anchor component={Link} href={conditionPath(condition)} size="sm" underline="always" title={name}>
          {name && `${beginning === name ? name : `${beginning}…`}: `}
          {sentence}
        </Anchor>
        <Action condition={condition} isDiverted={isDiverted} />
      </Group>
    </List.Item>
  );
}

/** Links each condition to its cause. Renders nothing without any. */
export function Attention() {
  const text = useTexts(messages);
  const conditions = useAttention() ?? [];
  if (conditions.length === 0) return null;
  const diverted = new Set(
    conditions.filter(({ kind }) => kind === 'credential_diverted').map(({ subject }) => subject?.id),
  );
  const isCritical = conditions.some(({ severity }) => severity === 'critical');
  const color = `var(--mantine-color-${isCritical ? 'red' : 'orange'}-text)`;
  return (
    <Alert
      variant="default"
      icon={<TriangleAlert color={color} aria-hidden />}
      {...(isCritical && { bd: `1px solid ${color}` })}
      title={text.title}
    >
      <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
        {conditions.map((condition) => (
          <Item
            key={`${condition.kind} ${condition.subject?.id ?? ''}`}
            condition={condition}
            isDiverted={diverted.has(condition.subject?.id)}
          />
        ))}
      </List>
    </Alert>
  );
}
