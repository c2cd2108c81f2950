import { Button, Collapse, List, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Action, type Role, roleMay, rules } from '../../../core/base/roles.ts';
import { roleTexts } from '../role-texts.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { roleActionTexts } from './role-action-texts.ts';

const messages = texts(
  {
    show: (role: string) => `Tudo o que a função ${role} pode fazer`,
    hide: 'Mostrar menos',
  },
  {
    show: (role: string) => `Everything the role ${role} may do`,
    hide: 'Show less',
  },
);

const actions = Object.keys(rules) as Action[];

/** Shows the rules by which the service decides. */
export function RoleActions({ role }: { role: Role }) {
  const text = useTexts(messages);
  const names = useTexts(roleTexts);
  const actionNames = useTexts(roleActionTexts);
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="subtle"
        size="compact-sm"
        h="auto"
        styles={{ label: { whiteSpace: 'normal', textAlign: 'left', lineHeight: 1.35 } }}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {isOpen ? text.hide : text.show(names[role])}
      </Button>
      <Collapse expanded={isOpen}>
        <List size="sm">
          {actions
            .filter((action) => roleMay(role, action))
            .map((action) => (
              <List.Item key={action}>{actionNames[action]}</List.Item>
            ))}
        </List>
      </Collapse>
    </Stack>
  );
}
