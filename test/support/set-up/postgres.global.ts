// Before all tests: one real Postgres for the whole run, with a template database that has the schema and demo data.
import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../../local/postgres/postgres.ts';
import { seedDemoData } from '../../../service/demo-data.ts';
import { openDatabase } from '../../../service/storage/database.ts';
import { migrate } from '../../../service/storage/migrate.ts';
import { query } from '../query.ts';
import { TEMPLATE_DATABASE } from '../template.ts';
import { folderInMemory } from './folder-in-memory.ts';
import { once } from './once.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { folder, postgres } = await once('postgres', start);
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function start() {
  const folder = await folderInMemory();
  const postgres = await startPostgres({ folder, port: 0, maximumConnections: 300, durable: false });
  await makeTemplate(postgres.url);
  return { folder, postgres };
}

async function makeTemplate(postgresUrl: string): Promise<void> {
  await query(postgresUrl, `CREATE DATABASE ${TEMPLATE_DATABASE}`);
  const url = new URL(`/${TEMPLATE_DATABASE}`, postgresUrl).href;
  await migrate(url);
  const database = openDatabase({
    url,
    connections: 1,
    onBrokenConnection: (error) => {
      throw error;
    },
  });
  await seedDemoData(database);
  await database.destroy();
}
