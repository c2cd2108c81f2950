declare global {
  /** The environment that the tests run in has it. */
  function importNatively<Module>(specifier: string): Promise<Module>;
}

/** The very instance of a package that the service has; a test's own `import` makes another. */
export const importNatively = <Module>(specifier: string): Promise<Module> =>
  globalThis.importNatively<Module>(specifier);
