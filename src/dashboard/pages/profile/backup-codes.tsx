import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useCopy } from '../../ui/copying/use-copy.ts';
import { useTexts } from '../../base/language.tsx';
import { twoStepTexts } from './texts.ts';

export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = useTexts(twoStepTexts);
  const { isCopied, copy } = useCopy(codes.join('\n'));
  return (
    <Stack>
      <Text size="sm">{text.backupAbout}</Text>
      <Alert color="yellow">{text.backupOnce}</Alert>
      <SimpleGrid cols={2} spacing="xs" component="ul" aria-label={text.backupCodes} p={0} m={0}>
        {codes.map((code) => (
          <Code key={code} component="li" ta="center" p={6} style={{ listStyle: 'none' }}>
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="flex-end">
        <Button variant="default" onClick={copy}>
          {isCopied ? text.copied : text.copy}
        </Button>
        <Button onClick={onDone}>{text.done}</Button>
      </Group>
    </Stack>
  );
}
