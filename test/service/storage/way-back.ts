// Whether the last release can still serve after a migration: what the migration does that takes the way back away.

/** What a migration may not do to what the last release uses, and why. */
const ONE_WAY: readonly (readonly [RegExp, string])[] = [
  [/\bDROP\s+(?!INDEX\b|NOT\s+NULL\b|DEFAULT\b)/i, 'drops what the last release may use'],
  [/\bRENAME\b/i, 'renames what the last release calls by its former name'],
  [/\bALTER\s+COLUMN\s+\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i, 'changes the type of a column'],
  [/\bSET\s+NOT\s+NULL\b/i, 'refuses rows that the last release writes'],
  [
    /\bADD\s+COLUMN\b(?![^;]*\bDEFAULT\b)[^;]*\bNOT\s+NULL\b/i,
    'adds a column that the last release leaves empty',
  ],
  [/\bADD\s+(?:CONSTRAINT|CHECK|UNIQUE|FOREIGN)\b/i, 'refuses rows that the last release may write'],
  [/\b(?:DELETE\s+FROM|TRUNCATE)\b/i, 'deletes rows that the last release may read'],
];

/** The first lines of a migration that takes away what the last release has stopped to use: `-- contracts: 0.2.0: why`. */
const CONTRACTS = /^-- contracts: (\d+\.\d+\.\d+): \S/m;

/** `released` is the version of the last release. */
export function wrongForTheWayBack(name: string, sql: string, released: string): string[] {
  if (name.endsWith('.breaking.sql'))
    return [`${name}: the last release does not start on a breaking migration`];
  const contracts = CONTRACTS.exec(sql)?.[1];
  if (contracts === released) return [];
  if (contracts !== undefined)
    return [`${name}: says that ${contracts} no longer uses it, expected the last release, ${released}`];
  const statements = sql.replaceAll(/--.*$/gm, '').split(';');
  return statements.flatMap((statement) =>
    ONE_WAY.flatMap(([pattern, why]) => (pattern.test(statement) ? [`${name}: ${why}`] : [])),
  );
}
