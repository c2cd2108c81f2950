import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Their files take longest, so that no worker is left alone with one of them at the end. */
const slowFolders = ['processes', 'cli', 'fuzz', 'core', 'browser', 'http', 'database'];

const rank = ({ path, context }) => {
  const [folder] = relative(context.config.rootDir, path).split('/').slice(1);
  return (slowFolders.indexOf(folder) + slowFolders.length + 1) % (slowFolders.length + 1);
};

/** For a clean checkout; later Jest knows how long each file took. */
export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isKnown = sorted.every(({ duration }) => duration !== undefined);
    return isKnown ? sorted : sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
