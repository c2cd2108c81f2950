import { Radio, Stack } from '@mantine/core';
import { type Role, roles } from '../../../core/base/roles.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { roleTexts } from '../../parts/role-texts.ts';
import { RoleActions } from '../../parts/roles/role-actions.tsx';
import { roleAbouts } from '../../parts/roles/role-abouts.ts';

const messages = texts({ role: 'Função' }, { role: 'Role' });

export function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const text = useTexts(messages);
  const names = useTexts(roleTexts);
  const abouts = useTexts(roleAbouts);
  return (
    <Radio.Group
      label={text.role}
      value={value}
      onChange={(chosen) => {
        onChange(chosen as Role);
      }}
    >
      <Stack gap="sm" mt="xs" mb="xs">
        {roles.map((role) => (
          <Radio key={role} value={role} label={names[role]} description={abouts[role]} />
        ))}
      </Stack>
      <RoleActions role={value} />
    </Radio.Group>
  );
}
