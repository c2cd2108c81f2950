import { useQuery } from '@tanstack/react-query';
import { graphql, type ResultOf } from '../api/graphql.ts';
import { useLanguage } from '../shell/language.tsx';
import { useServiceRead } from '../shell/use-service.ts';

const providersDocument = graphql(`
  query Providers {
    providerSettings {
      provider
      displayName
      webhookRegistration
      webhookSteps {
        pt
        en
      }
      fields {
        name
        options
        optionLabels {
          pt
          en
        }
      }
    }
  }
`);

type Provider = ResultOf<typeof providersDocument>['providerSettings'][number];

/** What does not depend on the credential; undefined while it is loading. */
export function useProviders(): (provider: string) => Provider | undefined {
  const read = useServiceRead(providersDocument);
  // The same for every organization, and changes only with a release.
  const { data } = useQuery({
    queryKey: ['providers'],
    queryFn: () => read({}),
    staleTime: Infinity,
  });
  return (provider) => data?.providerSettings.find((each) => each.provider === provider);
}

/** The display name of a provider, and of the bank that its preset names; identifiers while the names are loading. */
export function useProviderName(): (provider: string, preset?: string | null) => string {
  const providerOf = useProviders();
  const { language } = useLanguage();
  return (provider, preset) => {
    const { displayName = provider, fields = [] } = providerOf(provider) ?? {};
    if (!preset) return displayName;
    const { options = [], optionLabels = [] } = fields.find(({ name }) => name === 'preset') ?? {};
    return `${displayName} · ${optionLabels[options.indexOf(preset)]?.[language] ?? preset}`;
  };
}
