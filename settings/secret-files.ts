// Secrets that are given as files, as containers' secrets are: NAME_FILE says where NAME's value is. The one place that
// knows this. The program's entry passes in how files are read, and calls it before it reads any setting.

/** Every setting that is, or holds, a secret. */
export const secretSettings = [
  'DATABASE_URL',
  'SERVICE_ENCRYPTION_KEY',
  'LOCKER_CLIENT_SECRET',
  'LOCKER_CALLBACK_KEY',
  'TEMPORAL_API_KEY',
  'LOCKERFLOW_PAYLOAD_KEYS',
  'CODEC_SERVER_SECRET',
] as const;

/**
 * Puts the content of each NAME_FILE in NAME's place. Throws an Error that names every file that is wrong.
 * @param read throws where it cannot
 */
export function takeSecretsFromFiles(
  variables: Record<string, string | undefined>,
  read: (path: string) => string,
): void {
  const wrong: string[] = [];
  for (const name of secretSettings) {
    const path = variables[`${name}_FILE`];
    if (!path) continue;
    if (variables[name]) wrong.push(`${name} and ${name}_FILE are both set; expected one of them`);
    else
      try {
        // Editors and `echo` end a file with a line end, which is no part of the secret.
        variables[name] = read(path).replace(/\r?\n$/, '');
        // Processes that this one starts get the value, and would find both.
        delete variables[`${name}_FILE`];
      } catch (error) {
        wrong.push(`${name}_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      }
  }
  if (wrong.length > 0) throw new Error(wrong.join('; '));
}
