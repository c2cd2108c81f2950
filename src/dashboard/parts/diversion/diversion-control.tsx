import { Group, Text } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import { DivertButton } from './divert-button.tsx';
import { type NamedCredential, UndoDiversion } from './undo-diversion.tsx';

const messages = texts(
  { diverted: (to: string, since: string) => `Cobranças direcionadas para ${to} desde ${since}.` },
  { diverted: (to, since) => `Payments have gone to ${to} since ${since}.` },
);

interface Props {
  credential: NamedCredential;
  diversion: { to: string; since: string } | null;
}

/** Where the payments of a credential go, and the way to change that for those who may. */
export function DiversionControl({ credential, diversion }: Props) {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  const mayManage = useWorkplace().may('credentials:manage');
  if (!diversion) return mayManage && <DivertButton credential={credential} />;
  return (
    <Group gap="xs">
      <Text size="sm">{text.diverted(diversion.to, dateTime(diversion.since))}</Text>
      {mayManage && <UndoDiversion credential={credential} />}
    </Group>
  );
}
