// Secrets in files, like container secrets: NAME_FILE names the file with NAME's value. Only this file knows that. The
// program's entry passes a function to read files, and calls this before it reads any setting.

/** Every setting that is, or holds, a secret. */
export const secretSettings = [
  'DATABASE_URL',
  'SERVICE_ENCRYPTION_KEY',
  'LOCKER_CLIENT_SECRET',
  'LOCKER_CALLBACK_KEY',
  'TEMPORAL_API_KEY',
  'LOCKERFLOW_PAYLOAD_KEYS',
  'CODEC_SERVER_SECRET',
  'CONSOLE_OIDC_CLIENT_SECRET',
] as const;

/**
 * Sets NAME to the content of each NAME_FILE. Throws an Error that names every wrong file.
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
        // Editors and `echo` add a line end, which does not belong to the secret.
        variables[name] = read(path).replace(/\r?\n$/, '');
        // Child processes get the value, and would see both variables.
        delete variables[`${name}_FILE`];
      } catch (error) {
        wrong.push(
          `${name}_FILE cannot be read (${error instanceof Error ? error.message : String(error)}); name a file that this process may read`,
        );
      }
  }
  if (wrong.length > 0) throw new Error(wrong.join('; '));
}
