import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { rateLimitsDocument } from './documents.ts';

const messages = texts(
  {
    label: 'Requisições por minuto',
    about: (maximum: string, usual: string) => `De 1 a ${maximum}. Deixe vazio para o padrão: ${usual}.`,
  },
  {
    label: 'Requests per minute',
    about: (maximum: string, usual: string) => `From 1 to ${maximum}. Leave empty for the default: ${usual}.`,
  },
);

export const rateLimitOf = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed));

interface RateLimitProps {
  /** Digits as they are typed. */
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

interface Bounds {
  /** Holds where the field is empty. */
  usual: number;
  maximum: number;
}

export function RateLimit({ bounds, onChange, ...field }: RateLimitProps & { bounds: Bounds | undefined }) {
  const text = useTexts(messages);
  const { count } = useFormats();
  return (
    <TextInput
      label={text.label}
      description={bounds && text.about(count(bounds.maximum), count(bounds.usual))}
      inputMode="numeric"
      pattern="\d*"
      maxLength={9}
      autoComplete="off"
      {...field}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
  );
}

export function KeyRateLimit(props: RateLimitProps) {
  const { data } = useServiceQuery(rateLimitsDocument, {});
  const settings = data?.organizationSettings;
  const bounds = settings && {
    usual: settings.rateLimitPerMinute ?? settings.defaultRateLimitPerMinute,
    maximum: settings.maximumRateLimitPerMinute,
  };
  return <RateLimit bounds={bounds} {...props} />;
}
