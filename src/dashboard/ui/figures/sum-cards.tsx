import { Paper, SimpleGrid, Text } from '@mantine/core';
import classes from './card.module.css';

/** Names figures and shows them, side by side where there is room. */
export const SumCards = ({ figures }: { figures: readonly (readonly [string, string])[] }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
    {figures.map(([name, value]) => (
      <Paper key={name} withBorder p="sm" className={classes.card}>
        <Text size="xs">{name}</Text>
        <Text fw={600}>{value}</Text>
      </Paper>
    ))}
  </SimpleGrid>
);
