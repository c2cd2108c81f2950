import { Badge, Box, Button, Menu, Text } from '@mantine/core';
import { LogOut, UserRound } from 'lucide-react';
import { useLocation } from 'wouter';
import { roleTexts } from '../../parts/role-texts.ts';
import { useSignOut } from '../../sign-in/use-sign-out.ts';
import { texts, useTexts } from '../language.tsx';
import { useSession } from '../use-session.ts';
import { useWorkplace } from '../use-workplace.ts';

const messages = texts(
  {
    profile: 'Meu perfil',
    signOut: 'Sair',
  },
  {
    profile: 'My profile',
    signOut: 'Sign out',
  },
);

export function PersonMenu() {
  const text = useTexts(messages);
  const roleText = useTexts(roleTexts);
  const { me } = useSession();
  const { role } = useWorkplace();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" size="xs" px="xs" maw={180} aria-label={me.name}>
          <UserRound size={14} aria-hidden />
          <Text size="xs" fw={600} truncate visibleFrom="xs" ml={6} span>
            {me.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Box px="sm" py={6}>
          {/* A paragraph cannot be a part of a menu. */}
          <Text size="sm" component="div">
            {me.email}
          </Text>
          <Badge variant="light" color="gray" tt="none">
            {roleText[role]}
          </Badge>
        </Box>
        <Menu.Divider />
        <Menu.Item
          leftSection={<UserRound size={14} aria-hidden />}
          onClick={() => {
            navigate('/profile');
          }}
        >
          {text.profile}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={signOut}>
          {text.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
