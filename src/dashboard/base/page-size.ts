import { useLocalStorage } from '@mantine/hooks';

/** The last is the most that the service answers at once. */
export const pageSizes = [25, 50, 100] as const;

type PageSize = (typeof pageSizes)[number];

/** How many rows a list reads at once. This browser keeps the choice. */
export function usePageSize() {
  return useLocalStorage<PageSize>({
    key: 'pix-page-size',
    defaultValue: pageSizes[0],
    deserialize: (text) => pageSizes.find((size) => String(size) === text) ?? pageSizes[0],
    getInitialValueInEffect: false,
  });
}
