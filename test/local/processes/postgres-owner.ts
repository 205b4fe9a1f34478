// A process that starts Postgres in the folder given, tells its address, and then waits to be killed by a test.
import { startPostgres } from '../../../local/postgres/postgres.ts';

const [, , folder] = process.argv;
if (folder === undefined) throw new TypeError('expected the folder of the Postgres to start');
const { url } = await startPostgres({ folder, port: 0 });
console.log(url);
