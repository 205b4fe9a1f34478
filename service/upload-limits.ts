// Within which limits a file of suggestions is taken.
// Each prevents a failure, and its refusal names it. 100,000 rows as LibreOffice writes them are 4.2 MB, 61 MB unzipped,
// 620 to 690 MB of memory, 3 s. ASSUMPTION: interface, Limits: "Maximum upload file size and number of rows: not shown".
export interface UploadLimits {
  /** Size of the file as sent, bytes: it is held in memory while it waits and while it is read. */
  readonly fileBytes: number;
  /**
   * Size of what an .xlsx file holds once unzipped, and of the texts of all rows, bytes: a zip bomb of some kB unzips to
   * gigabytes, and so does one text that all cells share.
   */
  readonly unzippedBytes: number;
  /** Rows below the header, empty ones included. */
  readonly rows: number;
  /** Time to read one file: a file may be made so that reading it never ends. */
  readonly seconds: number;
  /** All memory of the process that reads the file, some 150 MB of it for itself: a small file may hold billions of cells. */
  readonly memoryMegabytes: number;
  /** Uploads under way: each holds its file in memory while it is received, waits, is read and is stored. */
  readonly concurrent: number;
}

export const uploadLimits: UploadLimits = {
  fileBytes: 20_000_000,
  unzippedBytes: 250_000_000,
  rows: 100_000,
  seconds: 30,
  memoryMegabytes: 768,
  concurrent: 8,
};
