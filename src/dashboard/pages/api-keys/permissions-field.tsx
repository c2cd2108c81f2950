import { Checkbox, Stack } from '@mantine/core';
import { permissions } from '../../../core/base/key-permissions.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { permissionTexts } from './permission-texts.ts';

const messages = texts(
  { permissions: 'Permissões', about: 'A leitura de cobranças é sempre permitida.' },
  { permissions: 'Permissions', about: 'Reading payments is always allowed.' },
);

export function PermissionsField(field: {
  value: string[];
  error: string | undefined;
  onChange: (value: string[]) => void;
}) {
  const text = useTexts(messages);
  const permissionText = useTexts(permissionTexts);
  return (
    <Checkbox.Group label={text.permissions} description={text.about} {...field}>
      <Stack gap="xs" mt="xs">
        {permissions.map((each) => (
          <Checkbox key={each} value={each} label={permissionText[each]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
