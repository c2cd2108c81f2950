import { useQuery } from '@tanstack/react-query';
import { graphql } from '../api/graphql.ts';
import { useServiceRead } from '../shell/use-service.ts';

const providerNamesDocument = graphql(`
  query ProviderNames {
    providerSettings {
      provider
      displayName
    }
  }
`);

/** The display name of a provider; its identifier while the names are loading. */
export function useProviderName(): (provider: string) => string {
  const read = useServiceRead(providerNamesDocument);
  // Names are the same for every organization and change only with a release.
  const { data } = useQuery({
    queryKey: ['provider-names'],
    queryFn: () => read({}),
    staleTime: Infinity,
  });
  return (provider) =>
    data?.providerSettings.find((each) => each.provider === provider)?.displayName ?? provider;
}
