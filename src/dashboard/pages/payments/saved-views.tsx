import { ActionIcon, Button, Divider, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Bookmark, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { texts, useTexts } from '../../shell/language.tsx';
import { useWorkplace } from '../../shell/use-workplace.ts';

const messages = texts(
  {
    views: 'Visões',
    none: 'Nenhuma visão salva neste navegador.',
    name: 'Nome da visão',
    save: 'Salvar filtros atuais',
    remove: (name: string) => `Excluir ${name}`,
  },
  {
    views: 'Views',
    none: 'No views saved in this browser.',
    name: 'Name of the view',
    save: 'Save current filters',
    remove: (name: string) => `Delete ${name}`,
  },
);

/** Query strings of the list by name. */
type Views = Record<string, string>;

/** Filters under a name, in this browser. The address has them too, to be passed on. */
export function SavedViews() {
  const text = useTexts(messages);
  const { organizationId } = useWorkplace();
  const search = useSearch();
  const [, navigate] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState('');
  const [views, setViews] = useLocalStorage<Views>({
    key: `pix-payment-views-${organizationId}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    setViews({ ...views, [name.trim()]: search });
    setName('');
  };
  const names = Object.keys(views).toSorted((a, b) => a.localeCompare(b));
  return (
    <Popover opened={isOpen} onChange={setIsOpen} trapFocus returnFocus position="bottom-end" shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Bookmark size={16} aria-hidden />}
          onClick={() => {
            setIsOpen(!isOpen);
          }}
        >
          {text.views}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={280}>
        <Stack gap="xs">
          {names.length === 0 && (
            <Text size="sm" c="dimmed">
              {text.none}
            </Text>
          )}
          {names.map((each) => (
            <Group key={each} gap={4} wrap="nowrap">
              <Button
                flex={1}
                miw={0}
                size="xs"
                justify="flex-start"
                variant={views[each] === search ? 'light' : 'subtle'}
                onClick={() => {
                  setIsOpen(false);
                  navigate(`/payments?${views[each]}`);
                }}
              >
                {each}
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={text.remove(each)}
                onClick={() => {
                  const { [each]: _, ...others } = views;
                  setViews(others);
                }}
              >
                <Trash2 size={14} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <Divider />
          <form onSubmit={save}>
            <Stack gap="xs">
              <TextInput
                aria-label={text.name}
                placeholder={text.name}
                required
                pattern=".*\S.*"
                maxLength={60}
                value={name}
                onChange={({ currentTarget }) => {
                  setName(currentTarget.value);
                }}
              />
              <Button type="submit" size="xs" variant="default">
                {text.save}
              </Button>
            </Stack>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
