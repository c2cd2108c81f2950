type None = Record<never, never>;

/** The rules that input can break, each with the parameters that its wording needs. Clients may switch on them. */
export interface RuleParams {
  required: None;
  /** Must be left out here. */
  not_allowed: None;
  type: { expected: string };
  minimum: { minimum: number };
  maximum: { maximum: number };
  min_length: { minimum: number };
  max_length: { maximum: number };
  max_items: { maximum: number };
  one_of: { choices: readonly string[] };
  decimals: { maximum: number };
  whole_number: None;
  /** A pattern without a rule of its own. */
  format: None;
  /** Valid Unicode without NUL. */
  unicode: None;
  /** Printable ASCII without spaces. */
  printable: { maximum: number };
  email: None;
  document: None;
  check_digits: None;
  phone: None;
  id: None;
  instant: None;
  date: None;
  future: None;
  not_after: { other: string };
  max_days: { maximum: number };
  url: None;
  https_url: None;
  public_url: { host: string };
  bare_url: None;
  ip_range: None;
  start_of_range: { range: string };
  pem: None;
  header_name: None;
  reserved: None;
  repeated: None;
  no_colon: None;
  unknown: { names: readonly string[] };
  unknown_credential: { id: string };
  archived_credential: { id: string };
  /** The credential is the organization's default. */
  default_credential: None;
  /** The credential is tried after the organization's default. */
  default_fallback: None;
  /** Payments of these credentials are diverted to this one. */
  diverted_here: { ids: readonly string[]; names: readonly string[] };
  /** Payers permit debits to the account of the credential. */
  in_recurrences: { count: number };
  /** Rule sets refer to the credential. */
  in_rule_sets: { ids: readonly string[]; names: readonly string[] };
  /** The rule set is the default of these modes. */
  default_rule_set: { modes: readonly string[] };
  /** Active payment links name the rule set: so many, the newest of them by id. */
  in_payment_links: { count: number; ids: readonly string[] };
  /** Identifies the account, so that it cannot change. */
  fixed: None;
  /** Must be given again together with what changes. */
  together_with: { other: string };
  unless: { other: string };
  wrong_passphrase: None;
  outdated_encryption: None;
  unreadable_file: None;
  other_key: None;
  weak_certificate: None;
  /** Differs from the password or code on record. */
  incorrect: None;
  already_used: None;
  different_from: { other: string };
  /** A PNG, JPEG or WebP file. */
  image: None;
  /** Bounds each side, in pixels. */
  image_sides: { minimum: number; maximum: number };
  max_bytes: { maximum: number };
  hex_color: None;
  /** The color must be seen on white; `suggestion` is the nearest one that is. */
  contrast: { minimum: number; suggestion: string };
  /** An IANA time zone whose days begin on whole hours of UTC. */
  time_zone: None;
  nothing_to_change: None;
  /** The message alone says what is wrong. */
  invalid: None;
}

export type Rule = keyof RuleParams;

export type BrokenRule = { [R in Rule]: { rule: R; params: RuleParams[R] } }[Rule];

/** What is wrong with one field of the input. */
export type Problem = BrokenRule & {
  /** The error's message names the field so: members separated by dots, or `body`. */
  path: string;
};

type OptionalParams<R extends Rule> = RuleParams[R] extends None
  ? keyof RuleParams[R] extends never
    ? []
    : [params: RuleParams[R]]
  : never;

export const broken = <R extends Rule>(rule: R, ...[params]: OptionalParams<R>): BrokenRule =>
  ({ rule, params: params ?? {} }) as BrokenRule;

export const problem = <R extends Rule>(path: string, rule: R, ...params: OptionalParams<R>): Problem => ({
  path,
  ...broken(rule, ...params),
});

/** The second argument of zod's `refine`: the rule, and the message of the REST error. */
export const breaks = (message: string, rule: BrokenRule) => ({ error: message, params: { broken: rule } });
