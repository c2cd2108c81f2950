import { ActionIcon, SegmentedControl, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Moon, Sun } from 'lucide-react';
import { type Language, texts, useLanguage, useTexts } from '../base/language.tsx';

const messages = texts(
  { language: 'Idioma', light: 'Usar tema claro', dark: 'Usar tema escuro' },
  { language: 'Language', light: 'Use light theme', dark: 'Use dark theme' },
);

export function Preferences() {
  const text = useTexts(messages);
  const { language, setLanguage } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={text.language}
        value={language}
        onChange={(value) => {
          setLanguage(value as Language);
        }}
        data={[
          { value: 'pt', label: 'PT' },
          { value: 'en', label: 'EN' },
        ]}
      />
      <ActionIcon
        variant="default"
        size="md"
        aria-label={isDark ? text.light : text.dark}
        onClick={() => {
          setColorScheme(isDark ? 'light' : 'dark');
        }}
      >
        {isDark ? <Sun size={16} /> : <Moon size={16} />}
      </ActionIcon>
    </>
  );
}
