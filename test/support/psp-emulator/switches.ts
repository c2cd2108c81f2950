import type { EmulatedCharge } from './ledger.ts';

/** What a real PSP does beyond its documentation, by name. Each is off until somebody turns it on. */
export interface Switches<Name extends string = string> {
  /** A line about each. */
  readonly about: Readonly<Record<Name, string>>;
  isOn(name: Name): boolean;
  /** Fails for a name that this PSP does not have. */
  turn(name: string, on: boolean): void;
  reset(): void;
}

/** Those that are on, or on for this charge alone: `details.on` names them. */
export const forCharge =
  <Name extends string>(isOn: (name: Name) => boolean, { details }: Pick<EmulatedCharge, 'details'>) =>
  (name: Name): boolean =>
    isOn(name) || details['on'] === name;

export function createSwitches<Name extends string>(about: Readonly<Record<Name, string>>): Switches<Name> {
  const on = new Set<string>();
  return {
    about,
    isOn: (name) => on.has(name),
    turn(name, isOn) {
      if (!Object.hasOwn(about, name)) {
        throw new Error(`no switch ${name}; there are ${Object.keys(about).join(', ') || 'none'}`);
      }
      if (isOn) on.add(name);
      else on.delete(name);
    },
    reset() {
      on.clear();
    },
  };
}
