/** Deviations of a PSP from the Banco Central's API Pix. */
export interface BacenPreset {
  /** Used when the settings have none. */
  baseUrl?: string;
  /** Encoding of the token request: the standard (RFC 6749) requires a form. */
  tokenBody: 'form' | 'json';
}

export const standard: BacenPreset = { tokenBody: 'form' };

/**
 * To add a PSP, add a line with its deviations. A deviation that BacenPreset cannot express yet becomes a new
 * member, which the client or the mapping reads; `standard` keeps the Banco Central's behaviour.
 */
export const presets = {
  efi: { baseUrl: 'https://pix.api.efipay.com.br/v2', tokenBody: 'json' },
} as const satisfies Record<string, BacenPreset>;
