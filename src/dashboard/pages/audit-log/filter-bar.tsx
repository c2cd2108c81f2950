import { Select, SimpleGrid } from '@mantine/core';
import { auditGroups, nobodies } from '../../../core/audit/rules/audit-actions.ts';
import { groupWords, nobodyWords } from '../../../core/audit/rules/audit-words.ts';
import { texts, useLanguage, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { DateRangeInput } from '../../ui/date-range/date-range-input.tsx';
import { useTyped } from '../../ui/inputs/use-typed.ts';
import { actorsDocument } from './documents.ts';
import { shortId } from './rules-text.ts';
import { type FilterProps, isId } from './use-filters.ts';

const messages = texts(
  {
    actor: 'Quem',
    anyone: 'Todas as pessoas e chaves',
    people: 'Pessoas',
    keys: 'Chaves de API',
    others: 'Outros',
    actions: 'Ações',
    anything: 'Todas as ações',
    changes: 'Só alterações e operações',
    subject: 'ID (pagamento, credencial…)',
    incomplete: 'Cole o ID completo',
  },
  {
    actor: 'Who',
    anyone: 'All people and keys',
    people: 'People',
    keys: 'API keys',
    others: 'Others',
    actions: 'Actions',
    anything: 'All actions',
    changes: 'Changes and operations only',
    subject: 'ID (payment, credential…)',
    incomplete: 'Paste the complete ID',
  },
);

interface ActorFilterProps extends FilterProps {
  /** The log calls the actor so, who may have left since. */
  actorName: string | undefined;
}

function ActorFilter({ filters: { actor }, change, actorName }: ActorFilterProps) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const { data } = useServiceQuery(actorsDocument, {});
  const people = (data?.members ?? []).map(({ userId, email }) => ({ value: userId, label: email }));
  const keys = (data?.apiKeys ?? []).map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` }));
  const others = nobodies.map((value): { value: string; label: string } => ({
    value,
    label: nobodyWords[value][language],
  }));
  const isListed = [...people, ...keys, ...others].some(({ value }) => value === actor);
  const former = actor && !isListed ? [{ value: actor, label: actorName ?? shortId(actor) }] : [];
  return (
    <Select
      aria-label={text.actor}
      placeholder={text.anyone}
      clearable
      searchable
      value={actor || null}
      data={[
        { group: text.people, items: people },
        { group: text.keys, items: keys },
        { group: text.others, items: [...others, ...former] },
      ]}
      onChange={(chosen) => {
        change({ actor: chosen ?? '' });
      }}
    />
  );
}

function ActionFilter({ filters: { actions }, change }: FilterProps) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  return (
    <Select
      aria-label={text.actions}
      placeholder={text.anything}
      clearable
      maxDropdownHeight={420}
      value={actions}
      data={[
        { value: 'changes' as const, label: text.changes },
        ...auditGroups.map((value) => ({ value, label: groupWords[value][language] })),
      ]}
      onChange={(chosen) => {
        change({
          actions: chosen === 'changes' ? chosen : (auditGroups.find((group) => group === chosen) ?? null),
        });
      }}
    />
  );
}

function SubjectFilter({ filters: { subject }, change }: FilterProps) {
  const text = useTexts(messages);
  const { typed, type } = useTyped(subject, (wanted) => {
    if (wanted === '' || isId(wanted)) change({ subject: wanted });
  });
  const isIncomplete = typed.trim() !== '' && !isId(typed.trim());
  return (
    <TextInput
      type="search"
      aria-label={text.subject}
      placeholder={text.subject}
      value={typed}
      maxLength={40}
      error={isIncomplete && text.incomplete}
      onChange={({ currentTarget: { value } }) => {
        type(value);
      }}
    />
  );
}

export function FilterBar({ filters, change, actorName }: ActorFilterProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
      <ActorFilter filters={filters} change={change} actorName={actorName} />
      <ActionFilter filters={filters} change={change} />
      <SubjectFilter filters={filters} change={change} />
      <DateRangeInput value={filters} onChange={change} isClearable />
    </SimpleGrid>
  );
}
