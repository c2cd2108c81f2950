import {
  AppShell,
  Badge,
  Box,
  Burger,
  Button,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Select,
  Text,
  Tooltip,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import {
  ChartNoAxesColumn,
  CreditCard,
  KeyRound,
  Landmark,
  LogOut,
  Rocket,
  ScrollText,
  Split,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import type { Workplace } from '../api/ask.ts';
import { authentication } from '../sign-in/authentication.ts';
import { texts, useTexts } from './language.tsx';
import { Preferences } from './preferences.tsx';
import { useSession } from './session.tsx';
import { useWorkplace, workplacePath } from './workplace.tsx';

const said = texts(
  {
    product: 'Pix',
    menu: 'Menu',
    navigation: 'Navegação',
    organization: 'Organização',
    mode: 'Modo',
    test: 'Teste',
    live: 'Produção',
    testHint: 'Cobranças de teste: nenhum dinheiro se move',
    liveHint: 'Cobranças de verdade',
    firstSteps: 'Primeiros passos',
    overview: 'Visão geral',
    payments: 'Pagamentos',
    webhooks: 'Webhooks',
    apiKeys: 'Chaves de API',
    credentials: 'Credenciais',
    ruleSets: 'Regras de roteamento',
    members: 'Pessoas',
    auditLog: 'Auditoria',
    profile: 'Meu perfil',
    signOut: 'Sair',
    roles: { owner: 'Dono', developer: 'Desenvolvedor', support: 'Suporte', viewer: 'Leitor' },
  },
  {
    product: 'Pix',
    menu: 'Menu',
    navigation: 'Navigation',
    organization: 'Organization',
    mode: 'Mode',
    test: 'Test',
    live: 'Live',
    testHint: 'Test charges: no money moves',
    liveHint: 'Real charges',
    firstSteps: 'First steps',
    overview: 'Overview',
    payments: 'Payments',
    webhooks: 'Webhooks',
    apiKeys: 'API keys',
    credentials: 'Credentials',
    ruleSets: 'Routing rules',
    members: 'People',
    auditLog: 'Audit log',
    profile: 'My profile',
    signOut: 'Sign out',
    roles: { owner: 'Owner', developer: 'Developer', support: 'Support', viewer: 'Viewer' },
  },
);

export const roleTexts = texts(said.pt.roles, said.en.roles);

const places = [
  ['/', 'overview', ChartNoAxesColumn],
  ['/payments', 'payments', CreditCard],
  ['/webhooks', 'webhooks', Webhook],
  ['/api-keys', 'apiKeys', KeyRound],
  ['/credentials', 'credentials', Landmark],
  ['/rule-sets', 'ruleSets', Split],
  ['/members', 'members', Users],
  ['/audit-log', 'auditLog', ScrollText],
  ['/first-steps', 'firstSteps', Rocket],
] as const;

function Navigation({ onChosen }: { onChosen: () => void }) {
  const text = useTexts(said);
  const [location] = useLocation();
  return (
    <AppShell.Section grow component={ScrollArea}>
      {places.map(([path, name, Icon]) => (
        <NavLink
          key={path}
          component={Link}
          href={path}
          label={text[name]}
          leftSection={<Icon size={18} aria-hidden />}
          active={path === '/' ? location === '/' : location.startsWith(path)}
          {...((path === '/' ? location === '/' : location.startsWith(path)) && { 'aria-current': 'page' })}
          onClick={onChosen}
        />
      ))}
    </AppShell.Section>
  );
}

function Where() {
  const text = useTexts(said);
  const { me } = useSession();
  const { organizationId, mode } = useWorkplace();
  const [location, navigate] = useLocation();
  const other = mode === 'test' ? 'live' : 'test';
  /** To the same list; what is shown of one payment or endpoint is nowhere else. */
  const move = (workplace: Workplace) => {
    const list = /^\/[^/]+/.exec(location)?.[0] ?? '';
    navigate(`~/dashboard${workplacePath(workplace)}${list}`);
  };
  return (
    <>
      {me.memberships.length > 1 && (
        <Select
          size="xs"
          aria-label={text.organization}
          value={organizationId}
          allowDeselect={false}
          data={me.memberships.map((each) => ({ value: each.organizationId, label: each.organizationName }))}
          onChange={(value) => {
            if (value) move({ organizationId: value, mode });
          }}
        />
      )}
      <Tooltip label={mode === 'test' ? text.testHint : text.liveHint}>
        <Button.Group aria-label={text.mode}>
          {(['test', 'live'] as const).map((each) => (
            <Button
              key={each}
              size="compact-sm"
              variant={each === mode ? 'filled' : 'default'}
              color={each === 'test' ? 'yellow.5' : 'teal'}
              aria-pressed={each === mode}
              onClick={() => {
                if (each === other) move({ organizationId, mode: other });
              }}
            >
              {text[each]}
            </Button>
          ))}
        </Button.Group>
      </Tooltip>
    </>
  );
}

function Person() {
  const text = useTexts(said);
  const { me, refresh } = useSession();
  const { role } = useWorkplace();
  const [, navigate] = useLocation();
  const signOut = useMutation({ mutationFn: authentication.signOut, onSettled: refresh });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<UserRound size={14} aria-hidden />}>
          {me.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Box px="sm" py={6}>
          <Text size="sm">{me.email}</Text>
          <Badge variant="light" color="gray" tt="none">
            {text.roles[role]}
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
        <Menu.Item
          leftSection={<LogOut size={14} aria-hidden />}
          onClick={() => {
            signOut.mutate();
          }}
        >
          {text.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function Layout({ children }: { children: ReactNode }) {
  const text = useTexts(said);
  const { organizationName } = useWorkplace();
  const [isMenuOpen, { toggle, close }] = useDisclosure(false);
  const [location] = useLocation();
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [location]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isMenuOpen } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger opened={isMenuOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label={text.menu} />
            <img src={new URL('../icon.svg', import.meta.url).href} width={28} height={28} alt="" />
            <Text fw={700} truncate visibleFrom="xs">
              {organizationName}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Where />
            <Group gap="xs" wrap="nowrap" visibleFrom="md">
              <Preferences />
            </Group>
            <Person />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={text.navigation}>
        <Navigation onChosen={close} />
        <Group p="xs" gap="xs" hiddenFrom="md">
          <Preferences />
        </Group>
      </AppShell.Navbar>
      <AppShell.Main>
        <Box maw={1200} mx="auto">
          {children}
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}
