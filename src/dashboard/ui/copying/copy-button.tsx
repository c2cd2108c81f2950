import { ActionIcon, Button, Code, Group, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { texts, useTexts } from '../../base/language.tsx';
import { useCopy } from './use-copy.ts';

const messages = texts({ copy: 'Copiar', copied: 'Copiado' }, { copy: 'Copy', copied: 'Copied' });

export function CopyIcon({ value, label }: { value: string; label?: string }) {
  const text = useTexts(messages);
  const { isCopied, copy } = useCopy(value);
  return (
    <Tooltip label={isCopied ? text.copied : text.copy}>
      <ActionIcon variant="subtle" onClick={copy} aria-label={label ? `${text.copy}: ${label}` : text.copy}>
        {isCopied ? <Check size={16} /> : <Copy size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}

export function Copyable({ value, label }: { value: string; label?: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>{value}</Code>
      <CopyIcon value={value} {...(label && { label })} />
    </Group>
  );
}

/** Says what it copies. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const text = useTexts(messages);
  const { isCopied, copy } = useCopy(value);
  const Icon = isCopied ? Check : Copy;
  return (
    <Button
      variant="default"
      size="compact-xs"
      flex="none"
      leftSection={<Icon size={12} aria-hidden />}
      onClick={copy}
    >
      {isCopied ? text.copied : label}
    </Button>
  );
}
