import { Badge, Box, Button, Menu, Text } from '@mantine/core';
import { BookOpen, Braces, LogOut, Play, UserRound, Waypoints } from 'lucide-react';
import { useLocation } from 'wouter';
import { roleTexts } from '../../parts/role-texts.ts';
import { useSignOut } from '../../sign-in/use-sign-out.ts';
import { texts, useDocs, useTexts } from '../../base/language.tsx';
import { useSession } from '../../base/use-session.ts';
import { useWorkplace } from '../../base/use-workplace.ts';

const messages = texts(
  {
    profile: 'Meu perfil',
    docs: 'Documentação',
    reference: 'Referência da API REST',
    graphql: 'Referência do GraphQL',
    explorer: 'Explorar o GraphQL',
    signOut: 'Sair',
  },
  {
    profile: 'My profile',
    docs: 'Documentation',
    reference: 'REST API reference',
    graphql: 'GraphQL reference',
    explorer: 'Explore GraphQL',
    signOut: 'Sign out',
  },
);

const references = [
  ['/docs/reference/', 'reference', Braces],
  ['/docs/graphql', 'graphql', Waypoints],
  // Leads to the reference in production, where there is no explorer.
  ['/graphql', 'explorer', Play],
] as const;

export function PersonMenu() {
  const text = useTexts(messages);
  const roleText = useTexts(roleTexts);
  const docs = useDocs();
  const { me } = useSession();
  const { role } = useWorkplace();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" size="xs" px="xs" maw={180} aria-label={me.name}>
          <UserRound size={14} aria-hidden style={{ flex: 'none' }} />
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
        <Menu.Divider />
        {([[`${docs}/`, 'docs', BookOpen], ...references] as const).map(([href, name, Icon]) => (
          <Menu.Item
            key={href}
            component="a"
            href={href}
            target="_blank"
            leftSection={<Icon size={14} aria-hidden />}
          >
            {text[name]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={signOut}>
          {text.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
