import { Textarea } from '../../ui/inputs/fields.tsx';
import { texts, useTexts } from '../../base/language.tsx';

const messages = texts(
  {
    label: 'IPs permitidos',
    example: (ip: string) => `Ex.: ${ip}`,
    about: 'Endereços IPv4 ou IPv6, ou faixas CIDR, um por linha. Deixe vazio para aceitar qualquer IP.',
  },
  {
    label: 'Allowed IPs',
    example: (ip) => `e.g. ${ip}`,
    about: 'IPv4 or IPv6 addresses or CIDR ranges, one per line. Leave empty to allow any IP.',
  },
);

/** Splits at whitespace, commas and semicolons. */
export const ipsOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

interface Props {
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

export function AllowedIps({ value, error, onChange }: Props) {
  const text = useTexts(messages);
  return (
    <Textarea
      label={text.label}
      description={text.about}
      placeholder={text.example('203.0.113.7')}
      autosize
      minRows={2}
      maxRows={8}
      autoComplete="off"
      spellCheck={false}
      error={error}
      value={value}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
