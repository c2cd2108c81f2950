import { Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Role } from '../../../core/base/roles.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { roleTexts } from '../role-texts.ts';
import { roleAbouts } from './role-abouts.ts';
import { RoleActions } from './role-actions.tsx';

const messages = texts(
  { about: (role: string) => `${role}: o que esta função pode fazer` },
  { about: (role: string) => `${role}: what this role can do` },
);

/** Says, when clicked, what the role can do. */
export function RoleName({ role }: { role: Role }) {
  const text = useTexts(messages);
  const names = useTexts(roleTexts);
  const abouts = useTexts(roleAbouts);
  return (
    <Popover width={320} position="bottom-start" shadow="md" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          aria-label={text.about(names[role])}
          style={{ textDecoration: 'underline dotted', textUnderlineOffset: 3, font: 'inherit' }}
        >
          {names[role]}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 1rem)" style={{ maxHeight: 360, overflowY: 'auto' }}>
        <Stack gap="xs">
          <Text size="sm">{abouts[role]}</Text>
          <RoleActions role={role} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
