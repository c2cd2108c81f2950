import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { texts, useTexts } from '../shell/language.tsx';

const said = texts({ copy: 'Copiar', copied: 'Copiado' }, { copy: 'Copy', copied: 'Copied' });

export function CopyIcon({ value, label }: { value: string; label?: string }) {
  const text = useTexts(said);
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? text.copied : text.copy}>
          <ActionIcon
            variant="subtle"
            onClick={copy}
            aria-label={label ? `${text.copy}: ${label}` : text.copy}
          >
            {copied ? <Check size={16} /> : <Copy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** A text to be taken elsewhere, whole. */
export function Copyable({ value, label }: { value: string; label?: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>{value}</Code>
      <CopyIcon value={value} {...(label && { label })} />
    </Group>
  );
}
