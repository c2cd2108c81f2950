/** How a PSP differs from the Banco Central's API Pix. */
export interface BacenPreset {
  /** Where the settings name none. */
  baseUrl?: string;
  /** How the grant is written in the token request: the standard (RFC 6749) wants a form. */
  tokenBody: 'form' | 'json';
}

export const standard: BacenPreset = { tokenBody: 'form' };

/**
 * To add a PSP, add a line with what its documentation does otherwise. A difference that no member of
 * BacenPreset can tell yet becomes a new member, which the client or the mapping reads; `standard` keeps
 * what the Banco Central says.
 */
export const presets = {
  efi: { baseUrl: 'https://pix.api.efipay.com.br/v2', tokenBody: 'json' },
} as const satisfies Record<string, BacenPreset>;
