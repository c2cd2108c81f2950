import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { FlaskConical, Languages, LogOut, Moon, Search, Sun, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useSignOut } from '../../sign-in/use-sign-out.ts';
import { isPlaceOf, placeTexts, places } from '../places.ts';
import { texts, useLanguage, useTexts } from '../../base/language.tsx';
import { useWorkplace, workplacePath } from '../../base/use-workplace.ts';

const messages = texts(
  {
    light: 'Usar tema claro',
    dark: 'Usar tema escuro',
    language: 'Ver em inglês',
    toTest: 'Ir para o modo de teste',
    toLive: 'Ir para o modo de produção',
    profile: 'Meu perfil',
    signOut: 'Sair',
    all: (text: string) => `Ver todos os resultados de “${text}”`,
  },
  {
    light: 'Use light theme',
    dark: 'Use dark theme',
    language: 'View in Portuguese',
    toTest: 'Go to test mode',
    toLive: 'Go to live mode',
    profile: 'My profile',
    signOut: 'Sign out',
    all: (text: string) => `See all results for “${text}”`,
  },
);

export interface PaletteItem {
  id: string;
  label: string;
  icon: ReactNode;
  note?: ReactNode;
  run: () => void;
}

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Finds the pages and actions whose names contain the text. */
export function useActions(typed: string): PaletteItem[] {
  const text = useTexts(messages);
  const placeText = useTexts(placeTexts);
  const { language, setLanguage } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const { organizationId, mode, may } = useWorkplace();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  const other = mode === 'test' ? 'live' : 'test';
  const pages = places.filter(isPlaceOf(may)).map(([path, name, Icon]) => ({
    id: path,
    label: placeText[name],
    icon: <Icon size={16} aria-hidden />,
    run: () => {
      navigate(path);
    },
  }));
  const actions: PaletteItem[] = [
    ...pages,
    {
      id: 'profile',
      label: text.profile,
      icon: <UserRound size={16} aria-hidden />,
      run: () => {
        navigate('/profile');
      },
    },
    {
      id: 'mode',
      label: mode === 'test' ? text.toLive : text.toTest,
      icon: <FlaskConical size={16} aria-hidden />,
      run: () => {
        navigate(`~/dashboard${workplacePath({ organizationId, mode: other })}`);
      },
    },
    {
      id: 'theme',
      label: isDark ? text.light : text.dark,
      icon: isDark ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />,
      run: () => {
        setColorScheme(isDark ? 'light' : 'dark');
      },
    },
    {
      id: 'language',
      label: text.language,
      icon: <Languages size={16} aria-hidden />,
      run: () => {
        setLanguage(language === 'pt' ? 'en' : 'pt');
      },
    },
    { id: 'sign-out', label: text.signOut, icon: <LogOut size={16} aria-hidden />, run: signOut },
  ];
  const all: PaletteItem = {
    id: 'all',
    label: text.all(typed),
    icon: <Search size={16} aria-hidden />,
    run: () => {
      navigate(`/payments?${new URLSearchParams({ search: typed })}`);
    },
  };
  const named = actions.filter(({ label }) => folded(label).includes(folded(typed)));
  return typed ? [...named, all] : named;
}
