import { Button, Code, Image, Paper, Stack, Text } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { texts, useFormats, useTexts } from '../base/language.tsx';
import { Countdown } from '../ui/countdown.tsx';
import { useCopy } from '../ui/copying/use-copy.ts';

const messages = texts(
  {
    qrCode: 'QR code do Pix',
    copyPaste: 'Pix copia e cola',
    copy: 'Copiar código Pix',
    copied: 'Copiado',
    expires: 'Expira em',
    ended: 'Prazo encerrado. Confirmando com o provedor…',
    payable: (day: string) => `Pode ser pago até ${day}`,
  },
  {
    qrCode: 'Pix QR code',
    copyPaste: 'Copy-and-paste code',
    copy: 'Copy Pix code',
    copied: 'Copied',
    expires: 'Expires in',
    ended: 'Time is up. Checking with the provider…',
    payable: (day: string) => `Can be paid until ${day}`,
  },
);

interface PaymentCodeProps {
  payment: {
    pixCopyPaste: string | null;
    pixQrCodeBase64: string | null;
    expiresAt: string;
    due: { lastPayableOn: string } | null;
  };
}

function CopyCode({ code }: { code: string }) {
  const text = useTexts(messages);
  const { isCopied, copy } = useCopy(code);
  return (
    <Button
      fullWidth
      variant="light"
      onClick={copy}
      leftSection={isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
    >
      {isCopied ? text.copied : text.copy}
    </Button>
  );
}

/** Expects a pending payment. */
export function PaymentCode({ payment }: PaymentCodeProps) {
  const text = useTexts(messages);
  const { calendarDay } = useFormats();
  const { pixCopyPaste, pixQrCodeBase64, expiresAt, due } = payment;
  if (!pixCopyPaste) return null;
  return (
    <Stack align="center" gap="sm">
      {pixQrCodeBase64 && (
        <Paper withBorder bg="white" p="xs">
          <Image
            src={`data:image/png;base64,${pixQrCodeBase64}`}
            alt={text.qrCode}
            w={200}
            h={200}
            style={{ imageRendering: 'pixelated' }}
          />
        </Paper>
      )}
      <Text size="sm" c="dimmed">
        {due ? (
          text.payable(calendarDay(due.lastPayableOn))
        ) : (
          <Countdown until={expiresAt} label={text.expires} ended={text.ended} />
        )}
      </Text>
      <Code block w="100%" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {pixCopyPaste}
      </Code>
      <CopyCode code={pixCopyPaste} />
    </Stack>
  );
}
