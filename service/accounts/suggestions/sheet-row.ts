// A row of a file of any format, before the rules of suggestions are applied.

export interface SheetRow {
  /** The row as a spreadsheet program numbers it: the header is row 1. */
  readonly number: number;
  /** The texts of its cells, trimmed; a cell that is missing is undefined. */
  readonly cells: readonly (string | undefined)[];
}
