import { useProviderName } from '../../parts/use-provider-name.ts';
import { Select } from '../../ui/inputs/fields.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { routesDocument } from './documents.ts';

const messages = texts(
  {
    label: 'Roteamento',
    usual: 'O padrão da organização',
    ruleSets: 'Regras de roteamento',
    credentials: 'Sempre esta credencial',
  },
  {
    label: 'Routing',
    usual: 'The default of the organization',
    ruleSets: 'Routing rules',
    credentials: 'Always this credential',
  },
);

/** Either a rule set or a credential takes the payments of a link. */
export type Route = { ruleSetId: string } | { credentialId: string };

interface RouteSelectProps {
  error: string | undefined;
  value: Route | undefined;
  onChange: (route: Route | undefined) => void;
}

export function RouteSelect({ error, value, onChange }: RouteSelectProps) {
  const text = useTexts(messages);
  const providerName = useProviderName();
  const { mode } = useWorkplace();
  const { data } = useServiceQuery(routesDocument, {});
  const ruleSets = data?.ruleSets ?? [];
  const isRuleSet = (id: string) => ruleSets.some((each) => each.id === id);
  const credentials = (data?.credentials ?? []).filter(
    ({ enabled, archivedAt, provider }) =>
      enabled && archivedAt === null && (mode === 'test' || provider !== 'sandbox'),
  );
  const nameOf = ({ name, provider }: (typeof credentials)[number]) => `${name} (${providerName(provider)})`;
  const chosen = value && ('ruleSetId' in value ? value.ruleSetId : value.credentialId);
  return (
    <Select
      label={text.label}
      placeholder={text.usual}
      clearable
      error={error}
      data={[
        { group: text.ruleSets, items: ruleSets.map(({ id, name }) => ({ value: id, label: name })) },
        {
          group: text.credentials,
          items: credentials.map((each) => ({ value: each.id, label: nameOf(each) })),
        },
      ]}
      value={chosen ?? null}
      onChange={(id) => {
        if (id === null) onChange(undefined);
        else onChange(isRuleSet(id) ? { ruleSetId: id } : { credentialId: id });
      }}
    />
  );
}
