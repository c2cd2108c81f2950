import { graphql } from '../../api/graphql.ts';

export const testClockDocument = graphql(`
  query TestClock {
    testClock {
      now
    }
  }
`);
