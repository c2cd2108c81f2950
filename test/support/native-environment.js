import asyncHooks from 'node:async_hooks';
import { ModernFakeTimers } from '@jest/fake-timers';
import NodeEnvironment from 'jest-environment-node';
import { natively } from './natively.js';
import { setPasswordCost } from './cheap-passwords.js';

const { AsyncLocalStorage } = asyncHooks;
/** @type {Set<import('node:async_hooks').AsyncLocalStorage<unknown>>} */
const storages = new Set();

/**
 * Before Node 24, jest makes one for each test file and never disables it: all later promises would pass it on, and keep the file.
 * Node 24 keeps it elsewhere, and its newer versions do not let anybody replace it.
 */
if (Number(process.versions.node.split('.', 1)[0]) < 24)
  asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor() {
      super();
      storages.add(this);
    }
  };

/** Lets tests import past jest: what Node itself loads, once for all test files of a worker. */
export default class NativeImportEnvironment extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    setPasswordCost(context.testPath);
    Object.assign(this.global, {
      ...natively,
      // What the service asks with `instanceof` and the tests make must be of one kind.
      Error,
      Date,
      URLSearchParams,
    });
    // The timers that a test fakes are the service's.
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  async teardown() {
    await super.teardown();
    for (const storage of storages) storage.disable();
    storages.clear();
  }
}
