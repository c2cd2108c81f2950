import { useQuery } from '@tanstack/react-query';
import { graphql, type ResultOf } from '../api/graphql.ts';
import { useLanguage } from '../base/language.tsx';
import { useServiceRead } from '../base/use-service.ts';

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
        label {
          pt
          en
        }
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

/** Finds what does not depend on the credential; undefined while it is loading. */
export function useProviders(): (provider: string) => Provider | undefined {
  const read = useServiceRead(providersDocument);
  // They are the same for every organization, and change only with a release.
  const { data } = useQuery({
    queryKey: ['providers'],
    queryFn: () => read({}),
    staleTime: Infinity,
  });
  return (provider) => data?.providerSettings.find((each) => each.provider === provider);
}

/** Names what a credential has, with identifiers while the names are loading. */
export function useCredentialTexts() {
  const providerOf = useProviders();
  const { language } = useLanguage();
  const fieldOf = (provider: string, setting: string) =>
    providerOf(provider)?.fields.find(({ name }) => name === setting);
  const providerName = (provider: string): string => providerOf(provider)?.displayName ?? provider;
  return {
    providerName,
    /** Undefined if the provider has no such setting. */
    settingName: (provider: string, setting: string): string | undefined =>
      fieldOf(provider, setting)?.label[language],
    /** A choice is shown by its label, any other value as it is. */
    settingValue(provider: string, setting: string, value: string): string {
      const { options = [], optionLabels = [] } = fieldOf(provider, setting) ?? {};
      return optionLabels[options.indexOf(value)]?.[language] ?? value;
    },
  };
}

/** Names a provider, and the bank that its preset stands for. */
export function useProviderName(): (provider: string, preset?: string | null) => string {
  const { providerName, settingValue } = useCredentialTexts();
  return (provider, preset) =>
    preset
      ? `${providerName(provider)} · ${settingValue(provider, 'preset', preset)}`
      : providerName(provider);
}
