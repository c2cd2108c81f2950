import { Textarea } from '@mantine/core';
import { texts, useTexts } from '../../shell/language.tsx';

const said = texts(
  {
    label: 'IPs permitidos',
    about: 'Endereços IPv4 e IPv6 ou faixas CIDR, um por linha. Vazio: de qualquer lugar.',
  },
  {
    label: 'Allowed IPs',
    about: 'IPv4 and IPv6 addresses or CIDR ranges, one per line. Empty: from anywhere.',
  },
);

/** One by one, however they are parted. */
export const ipsOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/** Where a key may be used from, as people type it. */
export function AllowedIps({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const text = useTexts(said);
  return (
    <Textarea
      label={text.label}
      description={text.about}
      placeholder="203.0.113.7"
      autosize
      minRows={2}
      maxRows={8}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
