// Compares a run with the ratios of the last release. A report, not a test: machines differ, and so do their hours.
import { readFileSync } from 'node:fs';

interface Ratio {
  name: string;
  ratio: number;
}

interface Release {
  version: string;
  /** What sent the load: another one leaves the service more or less of the machine. */
  generator: string;
  /** The keys are the cases. */
  ratios: Record<string, number>;
  megabytes: number;
}

/** A tenth less is a loss. */
const allowed = 0.9;

const release = JSON.parse(readFileSync(new URL('last-release.json', import.meta.url), 'utf8')) as Release;

/** A line for what became worse than in the last release, or one that says that nothing did. */
export function compareWithRelease(ratios: readonly Ratio[], megabytes: number): string[] {
  const lost = ratios.flatMap(({ name, ratio }) => {
    const before = release.ratios[name];
    if (before === undefined || ratio >= before * allowed) return [];
    return [`${name}: ${ratio.toFixed(2)}, which was ${before.toFixed(2)} in ${release.version}`];
  });
  if (megabytes * allowed > release.megabytes) {
    lost.push(`memory: ${megabytes} MB, which was ${release.megabytes} MB in ${release.version}`);
  }
  const measured = `${release.version}, measured with ${release.generator}`;
  if (lost.length === 0) return ['', `No ratio is more than a tenth below that of ${measured}.`];
  return ['', `More than a tenth worse than ${measured}:`, '', ...lost.map((line) => `- ${line}`)];
}
