// What a row of the table of statements says: a statement of the interface, and the tests that fail if it does not hold.

/** A test by its file under test/ and its title, behind those of its groups. `%s` and `$name` stand for each case. */
export interface NamedTest {
  readonly path: string;
  readonly title: string;
}

export type Statement = {
  /** In the interface's own words. ` … ` stands for words that another statement has; ` | ` divides the cells of a row. */
  readonly says: string;
} & (
  | { readonly shownBy: readonly NamedTest[] }
  /** The interface leaves it open ("not shown"): the heading, and the row, of docs/assumptions.md that decide it. */
  | { readonly leftOpen: string }
  /** It states nothing of the service that a test could find broken: why not. */
  | { readonly notTested: string }
);

export interface Section {
  /** As in the interface. */
  readonly heading: string;
  readonly statements: readonly Statement[];
}

export const section = (heading: string, ...statements: readonly Statement[]): Section => ({
  heading,
  statements,
});

/** The tests of one file, named by their titles. */
export const testsOf =
  (file: string) =>
  (...titles: readonly string[]): NamedTest[] =>
    titles.map((title) => ({ path: `test/${file}`, title }));

export const shown = (says: string, ...tests: readonly (readonly NamedTest[])[]): Statement => ({
  says,
  shownBy: tests.flat(),
});
export const leftOpen = (says: string, rule: string): Statement => ({ says, leftOpen: rule });
export const notTested = (says: string, why: string): Statement => ({ says, notTested: why });

const operations = testsOf('interface/operations.test.ts');
/** What is tried with each operation of the interface. */
export const everyOperation = {
  path: operations('%s takes all its fields, and answers with exactly its own'),
  answer: operations('%s takes all its fields, and answers with exactly its own'),
  optional: operations('%s takes a request without its optional fields, or with null in each'),
  required: operations('%s is refused without each required field, or with null, naming it'),
  types: operations('%s is refused with a field of another type, naming it'),
  sides: operations('%s takes sides of 1 cm, and refuses a smaller one, naming it'),
  post: operations('%s is a POST of JSON with a valid access token, else it is refused'),
  upload: operations('UploadAccountSuggestions takes its two parts, and answers with exactly its fields'),
} as const;
/** Of each operation that has the code: the compiler asks for a case, and the codes are held against the interface. */
export const shipmentCodes = [
  ...testsOf('service/shipments/error-codes.test.ts')('$name is refused with $code'),
  ...testsOf('contract/wire/errors.test.ts')(
    '%s may fail with the codes of the interface and the decisions, and no other',
  ),
];
export const accountCodes = [
  ...testsOf('service/accounts/error-codes.test.ts')('$name is refused with $code'),
  ...testsOf('contract/wire/errors.test.ts')(
    '%s may fail with the codes of the interface and the decisions, and no other',
  ),
];
