import type { BacenPreset } from './presets.ts';

/** What a bank, or an application at it, may lack. */
export interface OptionalService {
  paths: RegExp;
  name: string;
  scopes: readonly string[];
  isKnownAt: (preset: BacenPreset) => boolean;
}

const services: readonly OptionalService[] = [
  {
    paths: /^\/cobv(?![^/?])/,
    name: 'charges with a due date',
    scopes: ['cobv.read', 'cobv.write'],
    isKnownAt: ({ hasDueDates = false }) => hasDueDates,
  },
  {
    paths: /^\/(?:rec|cobr|locrec|solicrec|webhookrec|webhookcobr)(?![^/?])/,
    name: 'recurrences',
    scopes: [
      'rec.read',
      'rec.write',
      'cobr.read',
      'cobr.write',
      'payloadlocationrec.read',
      'payloadlocationrec.write',
      'solicrec.read',
      'solicrec.write',
      'webhookrec.read',
      'webhookrec.write',
      'webhookcobr.read',
      'webhookcobr.write',
    ],
    isKnownAt: ({ hasRecurrences = false }) => hasRecurrences,
  },
  {
    // dev.efipay.com.br, "Endpoints exclusivos Efí".
    paths: /^\/gn\/infracoes(?![^/?])/,
    name: 'disputes',
    scopes: ['gn.infractions.read', 'gn.infractions.write'],
    isKnownAt: ({ hasInfractions = false }) => hasInfractions,
  },
];

/** Undefined for what every bank serves. */
export const optionalServiceAt = (path: string): OptionalService | undefined =>
  services.find(({ paths }) => paths.test(path));
