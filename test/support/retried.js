import { relative } from 'node:path';

/** Says at the end of a run which tests passed only when tried again: each is a defect to mend. */
export default class Retried {
  onRunComplete(_contexts, { testResults }) {
    const retried = testResults.flatMap((file) =>
      file.testResults
        .filter(({ invocations = 1 }) => invocations > 1)
        .map(({ fullName }) => `${relative('test', file.testFilePath)}: ${fullName}`),
    );
    if (retried.length === 0 && !process.env.CI) return;
    const count = retried.length === 1 ? '1 test was' : `${retried.length} tests were`;
    const list = retried.map((each) => `\n  ${each}`).join('');
    process.stderr.write(`\n${count} retried${list && `:${list}`}\n`);
  }
}
