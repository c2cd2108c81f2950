import fc from 'fast-check';
import { type RecurrencePlan, worldOf, type WorldPlan } from './plans.ts';
import { playWorld } from './world.ts';

interface Finding {
  /** Among the recurrences of the seed; none for what is wrong with a whole world. */
  index: number | undefined;
  differences: string[];
  plan: RecurrencePlan | undefined;
}

interface Options {
  seed: number;
  count: number;
  /** Plays one of them alone. */
  only: number | undefined;
  /** What has been found so far: there may be hours of it. */
  tell: (progress: string, found: readonly Finding[]) => void;
}

const playedAtOnce = 40;

/** Plays as many recurrences, those of a world beside each other. */
export async function findings({ seed, count, only, tell }: Options): Promise<Finding[]> {
  const worlds = Math.floor((only ?? count - 1) / playedAtOnce) + 1;
  const plans = fc.sample(worldOf(playedAtOnce), { seed, numRuns: worlds });
  const found: Finding[] = [];
  for (const [place, sampled] of plans.entries()) {
    const first = place * playedAtOnce;
    const played = sampled.recurrences
      .map((recurrence, index) => ({ recurrence, index: first + index }))
      .filter(({ index }) => (only === undefined ? index < count : index === only));
    if (played.length === 0) continue;
    const plan: WorldPlan = { ...sampled, recurrences: played.map(({ recurrence }) => recurrence) };
    const said = await playWorld(plan);
    const before = found.length;
    for (const [index, differences] of said.entries()) {
      if (differences.length === 0) continue;
      found.push({ index: played[index]?.index, differences, plan: played[index]?.recurrence });
    }
    tell(`  ${first + played.length} played`, found.slice(before));
  }
  return found;
}
