import { types } from 'node:util';
import NodeEnvironment from 'jest-environment-node';
import { natively } from './natively.js';

/** Jest gives each test file an `Error` of its own, and what Node throws is an `Error` of Node's. */
export default class SourceEnvironment extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    Object.assign(this.global, natively);
    const { Error: OwnError } = this.global;
    Object.defineProperty(OwnError, Symbol.hasInstance, {
      value(object) {
        return (
          (this === OwnError && types.isNativeError(object)) ||
          Function.prototype[Symbol.hasInstance].call(this, object)
        );
      },
    });
  }
}
