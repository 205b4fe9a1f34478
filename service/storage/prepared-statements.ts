// Statements that requests send again and again in the same words. Their text is made once, and Postgres parses and plans each
// of them once for a connection, not for each request. Only calls of our functions: the columns of their answers never
// change while a connection lives, as those of a table could.
import { CompiledQuery, type QueryResult } from 'kysely';
import pg from 'pg';

/** By their texts. */
const names = new Map<string, string>();

/** A database, or a transaction. */
interface Executor {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

interface PreparedStatement<Row> {
  rows(executor: Executor, values: readonly unknown[]): Promise<Row[]>;
}

/** To be made once, when the module is loaded. @param text with $1, $2 … for the values */
export function preparedStatement<Row>(text: string): PreparedStatement<Row> {
  names.set(text, `lockerflow_${names.size + 1}`);
  return {
    async rows(executor, values) {
      const { rows } = await executor.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
      return rows;
    },
  };
}

/** A client that sends a prepared statement by its name. Kysely gives texts only. */
export class PreparingClient extends pg.Client {
  override query(...given: unknown[]): never {
    const [text, values] = given;
    const name = typeof text === 'string' ? names.get(text) : undefined;
    return Reflect.apply(super.query, this, name === undefined ? given : [{ name, text, values }]) as never;
  }
}
