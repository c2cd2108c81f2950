import { AppShell, Box, Burger, Button, Group } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { texts, useTexts } from '../../base/language.tsx';
import classes from './layout.module.css';
import { Navigation } from './navigation.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { PersonMenu } from './person-menu.tsx';
import { Preferences } from '../../ui/preferences.tsx';
import { WithServiceState } from './service-state.tsx';
import { ModeSwitch, OrganizationSwitch } from './workplace-switch.tsx';

const messages = texts(
  {
    menu: 'Menu',
    navigation: 'Navegação',
    skip: 'Ir para o conteúdo',
  },
  {
    menu: 'Menu',
    navigation: 'Navigation',
    skip: 'Skip to content',
  },
);

/** Navigation scrolls to the top and moves focus past the menu, for screen readers. */
function useContent() {
  const content = useRef<HTMLElement>(null);
  const [location] = useLocation();
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    window.scrollTo(0, 0);
    content.current?.focus({ preventScroll: true });
  }, [location]);
  return content;
}

export function Layout({ children }: { children: ReactNode }) {
  const text = useTexts(messages);
  const [isMenuOpen, { toggle, close }] = useDisclosure(false);
  const burger = useRef<HTMLButtonElement>(null);
  const leaveMenu = () => {
    if (!isMenuOpen) return;
    close();
    burger.current?.focus();
  };
  useHotkeys([['Escape', leaveMenu]]);
  const content = useContent();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isMenuOpen } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <AppShell.Header>
        <Button
          className={classes.skip}
          onClick={() => {
            content.current?.focus();
          }}
        >
          {text.skip}
        </Button>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              ref={burger}
              opened={isMenuOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={text.menu}
              aria-expanded={isMenuOpen}
            />
            <Box visibleFrom="xs" lh={0}>
              <img src={new URL('../../icon.svg', import.meta.url).href} width={28} height={28} alt="" />
            </Box>
            <Group visibleFrom="md" wrap="nowrap" miw={0}>
              <OrganizationSwitch />
            </Group>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton />
            <ModeSwitch />
            <Group gap="xs" wrap="nowrap" visibleFrom="md">
              <Preferences />
            </Group>
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        aria-label={text.navigation}
        className={classes.navbar}
        data-closed={!isMenuOpen || undefined}
      >
        <Group p="xs" hiddenFrom="md" wrap="nowrap">
          <OrganizationSwitch />
        </Group>
        <Navigation onChosen={close} />
        <Group p="xs" gap="xs" hiddenFrom="md">
          <Preferences />
        </Group>
      </AppShell.Navbar>
      <AppShell.Main ref={content} tabIndex={-1} className={classes.content}>
        <Box maw={1200} mx="auto">
          <WithServiceState>{children}</WithServiceState>
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}
