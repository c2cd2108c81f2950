import { ActionIcon, Button, Divider, Group, Popover, Stack, Text } from '@mantine/core';
import { Bookmark, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { texts, useTexts } from '../../../base/language.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { useSavedViews } from './use-saved-views.ts';

const messages = texts(
  {
    views: 'Filtros salvos',
    none: 'Nenhum filtro salvo.',
    name: 'Nome dos filtros',
    save: 'Salvar filtros atuais',
    remove: (name: string) => `Excluir ${name}`,
  },
  {
    views: 'Saved filters',
    none: 'No saved filters.',
    name: 'Name of the filters',
    save: 'Save current filters',
    remove: (name: string) => `Delete ${name}`,
  },
);

/** A person keeps filters under a name. The address has them too, to be passed on. */
export function SavedViews() {
  const text = useTexts(messages);
  const search = useSearch();
  const [, navigate] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState('');
  const { views, error, saving, removing } = useSavedViews();
  const fieldError = useFieldErrors(saving.error);
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(
      { name: name.trim(), query: search },
      {
        onSuccess: () => {
          setName('');
        },
      },
    );
  };
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
          <ErrorAlert error={error ?? removing.error} />
          {views.length === 0 && !error && (
            <Text size="sm" c="dimmed">
              {text.none}
            </Text>
          )}
          {views.map((view) => (
            <Group key={view.name} gap={4} wrap="nowrap">
              <Button
                flex={1}
                miw={0}
                size="xs"
                justify="flex-start"
                variant={view.query === search ? 'light' : 'subtle'}
                onClick={() => {
                  setIsOpen(false);
                  navigate(`/payments?${view.query}`);
                }}
              >
                {view.name}
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={text.remove(view.name)}
                onClick={() => {
                  removing.mutate({ name: view.name });
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
                maxLength={60}
                value={name}
                error={fieldError('name')}
                onChange={({ currentTarget }) => {
                  setName(currentTarget.value);
                }}
              />
              <ErrorAlert error={saving.error} fields={['name']} />
              <Button type="submit" size="xs" variant="default" loading={saving.isPending}>
                {text.save}
              </Button>
            </Stack>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
