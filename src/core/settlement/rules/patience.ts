/** How long a notification may refer to a charge that is being created, and a PSP may take to name the charge of a Pix. */
export const patienceMs = 120_000;
