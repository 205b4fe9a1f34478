// Names of people and programs, as they stand in logs, histories and the audit log.

/** One line of text: without characters that cannot be seen, with one blank where there are several, and no half characters. */
export const plainName = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[^\P{C}]/gu, '')
    .trim();

/** The first characters of it: never half of one. */
export const shortName = (text: string, most: number): string => [...text].slice(0, most).join('').trimEnd();
