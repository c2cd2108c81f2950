import { Button, Code, Group, Image, Paper, Stack } from '@mantine/core';
import { Check, Copy, Download, ExternalLink } from 'lucide-react';
import { useMemo } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { useCopy } from '../../ui/copying/use-copy.ts';
import { qrCodeUrl } from './qr-code.ts';

const messages = texts(
  {
    qrCode: 'QR code do link',
    copy: 'Copiar link',
    copied: 'Copiado',
    open: 'Abrir',
    download: 'Baixar QR code',
  },
  {
    qrCode: 'QR code of the link',
    copy: 'Copy link',
    copied: 'Copied',
    open: 'Open',
    download: 'Download QR code',
  },
);

/** Payers are sent this. */
export function LinkAddress({ url }: { url: string }) {
  const text = useTexts(messages);
  const { isCopied, copy } = useCopy(url);
  const code = useMemo(() => qrCodeUrl(url), [url]);
  return (
    <Stack align="center" gap="sm">
      <Paper withBorder bg="white" p="xs">
        <Image src={code} alt={text.qrCode} w={184} h={184} />
      </Paper>
      <Code block w="100%" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {url}
      </Code>
      <Button
        fullWidth
        onClick={copy}
        leftSection={isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      >
        {isCopied ? text.copied : text.copy}
      </Button>
      <Group grow preventGrowOverflow={false} w="100%">
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<ExternalLink size={16} aria-hidden />}
        >
          {text.open}
        </Button>
        <Button
          component="a"
          href={code}
          download="pix.png"
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
        >
          {text.download}
        </Button>
      </Group>
    </Stack>
  );
}
