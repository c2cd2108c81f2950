import { Anchor, Divider, Group, Stack, Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { texts, useTexts } from '../../base/language.tsx';
import { CopyButton } from '../../ui/copying/copy-button.tsx';

const messages = texts(
  {
    title: 'Página de pagamento',
    about: 'Envie ao pagador o endereço da página com este QR code.',
    open: 'Abrir',
    copy: 'Copiar endereço',
  },
  {
    title: 'Checkout page',
    about: 'Send the payer the address of the page with this QR code.',
    open: 'Open',
    copy: 'Copy address',
  },
);

export function CheckoutAddress({ url }: { url: string | null }) {
  const text = useTexts(messages);
  if (url === null) return null;
  return (
    <Stack gap={4} mt="md">
      <Divider mb="xs" />
      <Text size="sm" fw={600}>
        {text.title}
      </Text>
      <Text size="sm" c="dimmed">
        {text.about}
      </Text>
      <Group mt={4}>
        <CopyButton value={url} label={text.copy} />
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
          <Group gap={4} component="span" display="inline-flex">
            {text.open} <ExternalLink size={14} aria-hidden />
          </Group>
        </Anchor>
      </Group>
    </Stack>
  );
}
