/** The certificate that a credential identifies itself with at its provider. */
export interface ClientCertificate {
  validFrom: Date;
  expiresAt: Date;
}

/** A bank may take weeks to issue the next one. */
export const certificateWarningDays = 30;

const dayMs = 86_400_000;

/** Whole days until it expires; negative once it has. */
export const certificateDaysLeft = (expiresAt: Date, now: Date): number =>
  Math.floor((expiresAt.getTime() - now.getTime()) / dayMs);

export type CertificateState = 'valid' | 'expiring' | 'expired';

export function certificateStateOf(expiresAt: Date, now: Date): CertificateState {
  const daysLeft = certificateDaysLeft(expiresAt, now);
  if (daysLeft < 0) return 'expired';
  return daysLeft < certificateWarningDays ? 'expiring' : 'valid';
}
