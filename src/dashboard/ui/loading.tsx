import { Center, Loader, Skeleton, Stack } from '@mantine/core';
import { texts, useTexts } from '../base/language.tsx';

const messages = texts({ loading: 'Carregando' }, { loading: 'Loading' });

export function Loading() {
  const text = useTexts(messages);
  return (
    <Center component="output" mih={160} aria-label={text.loading}>
      <Loader type="dots" />
    </Center>
  );
}

/** Reserves the height of the coming content, in pixels, so that the page does not jump. */
export function LoadingPlaceholder({ heights }: { heights: readonly number[] }) {
  const text = useTexts(messages);
  return (
    <Stack component="output" aria-label={text.loading}>
      {heights.map((height) => (
        <Skeleton key={height} h={height} />
      ))}
    </Stack>
  );
}
