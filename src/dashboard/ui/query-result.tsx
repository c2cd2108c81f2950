import type { ReactNode } from 'react';
import { ErrorAlert } from './error-alert.tsx';
import { Loading } from './loading.tsx';

/** Renders loading, error or data. Data already loaded stays visible below a refetch error. */
export function QueryResult<Data>({
  result,
  loading = <Loading />,
  children,
}: {
  result: { data: Data | undefined; error: unknown; refetch: () => unknown };
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = result;
  return (
    <>
      <ErrorAlert error={error} retry={() => void refetch()} />
      {data === undefined ? !error && loading : children(data)}
    </>
  );
}
