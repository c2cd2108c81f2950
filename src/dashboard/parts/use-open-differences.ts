import { graphql, type ResultOf } from '../api/graphql.ts';
import { texts, useFormats, useTexts } from '../base/language.tsx';
import { useServiceQuery } from '../base/use-service.ts';

const messages = texts(
  { atLeast: (count: string) => `mais de ${count}` },
  { atLeast: (count: string) => `more than ${count}` },
);

const openDifferencesDocument = graphql(`
  query OpenDifferences {
    openDifferences {
      count
      isAtLeast
      date
      credentialId
    }
  }
`);

type OpenDifferences = NonNullable<ResultOf<typeof openDifferencesDocument>['openDifferences']>;

const pollIntervalMs = 60_000;

/** Counts what keeps days of the books open, and words the number; undefined without any. */
export function useOpenDifferences(): (OpenDifferences & { number: string }) | undefined {
  const text = useTexts(messages);
  const { count } = useFormats();
  const { data } = useServiceQuery(openDifferencesDocument, {}, { refetchIntervalMs: pollIntervalMs });
  const open = data?.openDifferences;
  if (!open) return undefined;
  const number = count(open.count);
  return { ...open, number: open.isAtLeast ? text.atLeast(number) : number };
}
