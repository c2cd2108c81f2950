import { Button, ColorInput, Group, Select, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { isHexColor, isSeenOnWhite, shadeSeenOnWhite } from '../../../core/people/rules/brand-color.ts';
import { defaultTimeZone, wholeHourZone } from '../../../core/base/time/zone.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation } from '../../base/use-service.ts';
import { useSession } from '../../base/use-session.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { CheckoutPreview } from './checkout-preview.tsx';
import { type Profile, updateOrganizationProfileDocument } from './documents.ts';

const messages = texts(
  {
    color: 'Cor da marca',
    colorAbout: 'Usada em botões e destaques que o pagador vê. Em branco: cor padrão.',
    hardToSee: 'Esta cor quase não se vê sobre branco.',
    use: (color: string) => `Usar ${color}`,
    zone: 'Fuso horário',
    zoneAbout:
      'Usado em datas e períodos no painel e em recebimentos. A conciliação segue sempre o dia de Brasília, como os extratos dos bancos.',
    save: 'Salvar',
    saved: 'Organização salva.',
  },
  {
    color: 'Brand color',
    colorAbout: 'Used for buttons and highlights that payers see. Empty: the default color.',
    hardToSee: 'This color can hardly be seen on white.',
    use: (color: string) => `Use ${color}`,
    zone: 'Time zone',
    zoneAbout:
      'Used for dates and periods in the dashboard and in receipts. The reconciliation always follows the day of Brasília, as the statements of banks do.',
    save: 'Save',
    saved: 'Organization saved.',
  },
);

const zones = (current: string): string[] => [
  ...new Set([
    defaultTimeZone,
    current,
    ...Intl.supportedValuesOf('timeZone').filter((zone) => wholeHourZone(zone) === zone),
    'UTC',
  ]),
];

const fields = ['brandColor', 'timeZone'];

/** Holds brand color and time zone. */
export function Appearance({ profile, isEditable }: { profile: Profile; isEditable: boolean }) {
  const text = useTexts(messages);
  const { refresh } = useSession();
  const [color, setColor] = useState(profile.brandColor ?? '');
  const [zone, setZone] = useState(profile.timeZone);
  const [choices] = useState(() => zones(profile.timeZone));
  const update = useServiceMutation(updateOrganizationProfileDocument);
  const fieldError = useFieldErrors(update.error);
  const isHard = isHexColor(color) && !isSeenOnWhite(color);
  const shade = isHexColor(color) ? shadeSeenOnWhite(color) : '';
  const send = (event: FormEvent) => {
    event.preventDefault();
    update.mutate(
      { input: { brandColor: color || null, timeZone: zone } },
      {
        onSuccess: () => {
          notify(text.saved);
          void refresh();
        },
      },
    );
  };
  return (
    <Group component="form" align="flex-start" gap="xl" onSubmit={send}>
      <Stack gap="sm" flex="0 1 480px" component="section" aria-label={text.color}>
        <Title order={2} size="h4">
          {text.color}
        </Title>
        <ColorInput
          aria-label={text.color}
          description={text.colorAbout}
          placeholder="#0f766e"
          value={color}
          onChange={setColor}
          disabled={!isEditable}
          error={fieldError('brandColor')}
          withEyeDropper={false}
        />
        {isHard && (
          <Group gap="xs">
            <Text size="sm">{text.hardToSee}</Text>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                setColor(shade);
              }}
            >
              {text.use(shade)}
            </Button>
          </Group>
        )}
        <Title order={2} size="h4" mt="lg">
          {text.zone}
        </Title>
        <Select
          aria-label={text.zone}
          description={text.zoneAbout}
          searchable
          allowDeselect={false}
          data={choices}
          value={zone}
          disabled={!isEditable}
          error={fieldError('timeZone')}
          onChange={(chosen) => {
            if (chosen) setZone(chosen);
          }}
        />
        <ErrorAlert error={update.error} fields={fields} />
        {isEditable && (
          <Group>
            <Button
              type="submit"
              loading={update.isPending}
              disabled={(color || null) === profile.brandColor && zone === profile.timeZone}
            >
              {text.save}
            </Button>
          </Group>
        )}
      </Stack>
      <CheckoutPreview profile={profile} color={color} />
    </Group>
  );
}
