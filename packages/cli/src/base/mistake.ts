/** A mistake in what was typed, or a file that cannot be read. Its message is all that a person needs. */
export class Mistake extends Error {}
