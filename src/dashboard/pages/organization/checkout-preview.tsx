import { Box, Group, Stack, Text } from '@mantine/core';
import { QrCode } from 'lucide-react';
import { isHexColor, textColorOn } from '../../../core/people/rules/brand-color.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { Profile } from './documents.ts';

const messages = texts(
  { title: 'Como o pagador vê', heading: 'Pagar com Pix', copy: 'Copiar código Pix' },
  { title: 'What payers see', heading: 'Pay with Pix', copy: 'Copy Pix code' },
);

/** The color of the page itself, where the organization has none. */
const defaultColor = '#0b6b5d';
const exampleAmount = 149.9;

/** The checkout page in small, with a color that may not be saved yet; in light colors, as most payers have it. */
export function CheckoutPreview({ profile, color }: { profile: Profile; color: string }) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const button = isHexColor(color) ? color : defaultColor;
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        {text.title}
      </Text>
      <Box bg="#f3f4f6" c="#16181d" p="md" w={280} style={{ borderRadius: 8 }} aria-hidden>
        <Group gap="xs" mb="sm" wrap="nowrap">
          {profile.logoPath && <img src={profile.logoPath} alt="" style={{ maxHeight: 32, maxWidth: 120 }} />}
          <Text size="sm" fw={600} truncate>
            {profile.name}
          </Text>
        </Group>
        <Stack bg="white" p="md" gap="xs" align="center" style={{ borderRadius: 8 }}>
          <Text fw={600}>{text.heading}</Text>
          <Text size="xl" fw={700}>
            {money(exampleAmount)}
          </Text>
          <QrCode size={96} strokeWidth={1} />
          <Box
            bg={button}
            c={textColorOn(button)}
            px="lg"
            py="xs"
            style={{ borderRadius: 8, fontWeight: 600 }}
          >
            {text.copy}
          </Box>
        </Stack>
      </Box>
    </Stack>
  );
}
