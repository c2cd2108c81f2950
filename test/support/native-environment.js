import { ModernFakeTimers } from '@jest/fake-timers';
import NodeEnvironment from 'jest-environment-node';
import { setPasswordCost } from './cheap-passwords.js';

/** Lets tests import past jest: what Node itself loads, once for all test files of a worker. */
export default class NativeImportEnvironment extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    setPasswordCost(context.testPath);
    Object.assign(this.global, {
      importNatively: (specifier) => import(specifier),
      // What the service asks with `instanceof` and the tests make must be of one kind.
      Error,
      Date,
      URLSearchParams,
    });
    // The timers that a test fakes are the service's.
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }
}
