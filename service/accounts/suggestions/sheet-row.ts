// What every kind of file is read into, before any rule of suggestions is applied.

export interface SheetRow {
  /** The row as a spreadsheet program numbers it: the header is row 1. */
  readonly number: number;
  /** The texts of its cells, trimmed; a cell that is missing is undefined. */
  readonly cells: readonly (string | undefined)[];
}
