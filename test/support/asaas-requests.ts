/** How many requests the adapter makes of Asaas for an operation. */
export const asaasRequests = {
  /** The charge and its QR code. */
  create: 2,
  /** The customer, too. */
  createForNewPayer: 3,
  look: 1,
  /** The charge and the Pix that paid it. */
  confirm: 2,
  /** The Pix, as a notification or a line of the statement names it. */
  confirmNamed: 1,
  cancel: 1,
  /** A page of the statement: 100 lines, of which a Pix and its fee are two. */
  sweep: 1,
} as const;
